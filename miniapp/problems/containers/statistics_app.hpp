// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_APP_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_APP_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// Pearson's correlation coefficient of two vectors, by five reductions over them: containers bring the
/// vectors once, where each call by itself would bring six. (One of the paper's applications, section 4.1.)
std::unique_ptr<Problem> make_ppmcc();

/// The mean squared error of two vectors, one call: nothing can be saved, so it shows what containers cost.
std::unique_ptr<Problem> make_mse();

}  // namespace haloheap

#endif

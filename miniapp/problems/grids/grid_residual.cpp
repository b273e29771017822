// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/grids/grid_residual.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace haloheap {

std::vector<stencil::ResidualSum> sum_over_ranks(const comm::Communicator& communicator,
                                                 std::vector<stencil::ResidualSum> mine) {
  static_assert(sizeof(stencil::ResidualSum) == stencil::residual_parts * sizeof(double));
  constexpr std::size_t piece = std::size_t{1} << 20;  // MPI counts in int
  for (std::size_t at = 0; at < mine.size(); at += piece) {
    const std::size_t steps = std::min(piece, mine.size() - at);
    comm::check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, mine[at].part, static_cast<int>(steps * stencil::residual_parts),
                      MPI_DOUBLE, MPI_SUM, communicator.get()),
        "MPI_Allreduce");
  }
  return mine;
}

std::vector<double> norms(const stencil::ResidualScale& scale,
                          const std::vector<stencil::ResidualSum>& sums) {
  std::vector<double> result;
  for (const stencil::ResidualSum& sum : sums) result.push_back(std::sqrt(scale.value(sum)));
  return result;
}

std::vector<stencil::ResidualSum> each(int interval, const std::vector<stencil::ResidualSum>& sums) {
  std::vector<stencil::ResidualSum> some;
  const auto step = static_cast<std::size_t>(interval);
  for (std::size_t at = step; at <= sums.size(); at += step) some.push_back(sums[at - 1]);
  return some;
}

std::string difference(const std::vector<stencil::ResidualSum>& sums,
                       const std::vector<stencil::ResidualSum>& expected, int interval) {
  const std::size_t common = std::min(sums.size(), expected.size());
  std::size_t same = 0;
  // Not by ==, for which NaN differs from itself.
  while (same < common &&
         std::memcmp(sums[same].part, expected[same].part, sizeof(stencil::ResidualSum)) == 0)
    ++same;
  if (same == sums.size() && same == expected.size()) return "";
  return fmt::format("the residual of step {}", (same + 1) * static_cast<std::size_t>(interval));
}

void write_norms(const std::filesystem::path& path, const std::vector<double>& norms, int interval) {
  std::string text = "step,norm\n";
  grid::Index step = 0;
  for (const double norm : norms) text += fmt::format("{},{:.17g}\n", step += interval, norm);
  report::write_whole_file(path, text);
}

}  // namespace haloheap

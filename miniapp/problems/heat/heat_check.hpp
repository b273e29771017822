// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_CHECK_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_CHECK_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/miniapp/problems/heat/heat_reference.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace haloheap {

/// The own cells of a device field on the host, quantity by quantity, x fastest, without halos.
template <class T>
std::vector<T> own_cells(const grid::FieldLayout& layout, const T* device_field);

/// Compares every rank's cells with the serial reference, which rank 0 computes, bit for bit, and with the
/// exact decay where there is one. Collective.
template <class T>
report::Verification verify_heat(const comm::Communicator& communicator, const HeatSettings& settings,
                                 const stencil::InitialField& initial, HeatReference& reference,
                                 const std::vector<T>& cells);

/// Writes one .vti a rank and one .pvti. Collective.
template <class T>
void write_heat_fields(const comm::Communicator& communicator, const HeatSettings& settings,
                       const std::filesystem::path& folder, const std::string& name,
                       const std::vector<T>& cells);

#define HALOHEAP_HEAT_CHECK(T)                                                                        \
  extern template std::vector<T> own_cells<T>(const grid::FieldLayout&, const T*);                    \
  extern template report::Verification verify_heat<T>(const comm::Communicator&, const HeatSettings&, \
                                                      const stencil::InitialField&, HeatReference&,   \
                                                      const std::vector<T>&);                         \
  extern template void write_heat_fields<T>(const comm::Communicator&, const HeatSettings&,           \
                                            const std::filesystem::path&, const std::string&,         \
                                            const std::vector<T>&);
HALOHEAP_HEAT_CHECK(float)
HALOHEAP_HEAT_CHECK(double)
#undef HALOHEAP_HEAT_CHECK

}  // namespace haloheap

#endif

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_VIEW_SHAPES_HPP
#define HALOHEAP_COMM_HALO_VIEW_SHAPES_HPP

#include <haloheap/comm/halo/exchanged_fields.hpp>
#include <haloheap/comm/halo/field_view.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// Where the values of a View stand: of one field, or of several where more than one index counts quantities.
/// All but the last of these are divided, whatever the layout is, so that all ranks have as many fields.
/// @param number of the field, for messages about one without a label
/// @throws UsageError that names the field, if it is null, kernels do not reach it, its word for its indices
/// is none of this many dimensions, its extents are not own cells and ghost cells, or its values overlap
std::vector<FieldShape> shapes_of(const FieldView& view, std::size_t number, const HaloBounds& bounds);

/// The fields of one set, or of two.
/// @throws UsageError as shapes_of, if fields of one set share memory, and if the sets differ in more than
/// where their fields are
std::vector<ExchangedField> fields_of(const std::vector<std::vector<FieldView>>& sets,
                                      const HaloBounds& bounds);

/// What messages call a field: 'density', or number 2.
std::string name_of_field(const FieldView& view, std::size_t number);

}  // namespace haloheap::comm::detail

#endif

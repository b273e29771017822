// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_VTI_WRITER_HPP
#define HALOHEAP_MINIAPP_REPORT_VTI_WRITER_HPP

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace haloheap::report {

/// The global grid of cells. In 2D size[2] is 1, and the image is flat.
struct VtiGrid {
  std::array<std::int64_t, 3> size{1, 1, 1};
  std::array<double, 3> origin{0, 0, 0};
  std::array<double, 3> spacing{1, 1, 1};
};

/// Half-open box of cells in global indices, x first.
struct VtiBox {
  std::array<std::int64_t, 3> lower{0, 0, 0};
  std::array<std::int64_t, 3> upper{1, 1, 1};
};

/// One named quantity on the rank's own cells (no ghosts), x fastest: index ((z * ny) + y) * nx + x.
template <class Real>
struct VtiQuantity {
  std::string name;
  std::span<const Real> values;
};

/// One file of a .pvti with the box it holds.
struct VtiPiece {
  std::filesystem::path file;  ///< relative to the folder of the .pvti
  VtiBox box;
};

/// One time of a series.
struct PvdFrame {
  std::filesystem::path file;  ///< a .pvti, relative to the folder of the .pvd
  std::int64_t time = 0;       ///< that ParaView shows: steps
};

/// Writes one rank's box as VTK ImageData: cell data, appended raw binary, little endian, UInt64 header.
/// Real is float, double or std::uint8_t. Throws IoError when the file cannot be written, InternalError when
/// a box leaves the grid or the number of values is not the box's.
template <class Real>
void write_vti(const std::filesystem::path& path, const VtiGrid& grid, const VtiBox& box,
               const std::vector<VtiQuantity<Real>>& quantities);

/// Writes the file that names all ranks' pieces; open this one in ParaView. Throws IoError.
template <class Real>
void write_pvti(const std::filesystem::path& path, const VtiGrid& grid, const std::vector<VtiPiece>& pieces,
                const std::vector<std::string>& quantity_names);

/// Writes the file that lists a series of .pvti files, which ParaView opens as an animation. Throws IoError.
void write_pvd(const std::filesystem::path& path, const std::vector<PvdFrame>& frames);

}  // namespace haloheap::report

#endif

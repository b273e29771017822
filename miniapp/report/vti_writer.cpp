// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/report/output_file.hpp>
#include <haloheap/miniapp/report/vti_writer.hpp>

#include <fmt/format.h>

#include <bit>
#include <ostream>
#include <type_traits>

namespace haloheap::report {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the appended blocks are written as they lie in memory");

template <class Real>
constexpr const char* vtk_type = std::is_same_v<Real, float>    ? "Float32"
                                 : std::is_same_v<Real, double> ? "Float64"
                                                                : "UInt8";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// VTK counts points, one more than cells; a flat direction has a single layer of points, "0 0".
std::string extent_of(const VtiGrid& grid, const VtiBox& box) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool flat = i == 2 && grid.size[2] == 1;
    text += fmt::format("{}{} {}", i ? " " : "", box.lower[i], flat ? box.lower[i] : box.upper[i]);
  }
  return text;
}

std::string image_attributes(const VtiGrid& grid) {
  return fmt::format(R"(WholeExtent="{}" Origin="{} {} {}" Spacing="{} {} {}")",
                     extent_of(grid, {{0, 0, 0}, grid.size}), grid.origin[0], grid.origin[1], grid.origin[2],
                     grid.spacing[0], grid.spacing[1], grid.spacing[2]);
}

std::string opening(const char* type) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
      type);
}

std::size_t checked_cells(const VtiGrid& grid, const VtiBox& box) {
  std::size_t cells = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (box.lower[i] < 0 || box.upper[i] <= box.lower[i] || box.upper[i] > grid.size[i]) {
      throw InternalError(
          fmt::format("field output: cells {} to {} of direction {} do not lie in a grid of {}", box.lower[i],
                      box.upper[i], i, grid.size[i]));
    }
    cells *= static_cast<std::size_t>(box.upper[i] - box.lower[i]);
  }
  return cells;
}

template <class T>
void put(std::ostream& out, const T* data, std::size_t count) {
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(count * sizeof(T)));
}

}  // namespace

template <class Real>
void write_vti(const std::filesystem::path& path, const VtiGrid& grid, const VtiBox& box,
               const std::vector<VtiQuantity<Real>>& quantities) {
  const std::size_t cells = checked_cells(grid, box);
  const std::uint64_t bytes = cells * sizeof(Real);
  std::string head = opening("ImageData") + fmt::format("  <ImageData {}>\n", image_attributes(grid)) +
                     fmt::format("    <Piece Extent=\"{}\">\n      <CellData>\n", extent_of(grid, box));
  std::uint64_t offset = 0;
  for (const auto& quantity : quantities) {
    if (quantity.values.size() != cells) {
      throw InternalError(fmt::format("field output: quantity '{}' has {} values for {} cells", quantity.name,
                                      quantity.values.size(), cells));
    }
    head += fmt::format("        <DataArray type=\"{}\" Name=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                        vtk_type<Real>, escaped(quantity.name), offset);
    offset += sizeof(bytes) + bytes;
  }
  head += "      </CellData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_";
  write_whole_file(path, [&](std::ostream& out) {
    out << head;
    for (const auto& quantity : quantities) {
      put(out, &bytes, 1);
      put(out, quantity.values.data(), cells);
    }
    out << "\n  </AppendedData>\n</VTKFile>\n";
  });
}

template <class Real>
void write_pvti(const std::filesystem::path& path, const VtiGrid& grid, const std::vector<VtiPiece>& pieces,
                const std::vector<std::string>& quantity_names) {
  std::string text = opening("PImageData");
  text += fmt::format("  <PImageData GhostLevel=\"0\" {}>\n    <PCellData>\n", image_attributes(grid));
  for (const std::string& name : quantity_names) {
    text += fmt::format("      <PDataArray type=\"{}\" Name=\"{}\"/>\n", vtk_type<Real>, escaped(name));
  }
  text += "    </PCellData>\n";
  for (const VtiPiece& piece : pieces) {
    checked_cells(grid, piece.box);
    text += fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n", extent_of(grid, piece.box),
                        escaped(piece.file.generic_string()));
  }
  text += "  </PImageData>\n</VTKFile>\n";
  write_whole_file(path, text);
}

void write_pvd(const std::filesystem::path& path, const std::vector<PvdFrame>& frames) {
  std::string text = opening("Collection") + "  <Collection>\n";
  for (const PvdFrame& frame : frames)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", frame.time,
                        escaped(frame.file.generic_string()));
  write_whole_file(path, text + "  </Collection>\n</VTKFile>\n");
}

template void write_vti(const std::filesystem::path&, const VtiGrid&, const VtiBox&,
                        const std::vector<VtiQuantity<float>>&);
template void write_vti(const std::filesystem::path&, const VtiGrid&, const VtiBox&,
                        const std::vector<VtiQuantity<double>>&);
template void write_vti(const std::filesystem::path&, const VtiGrid&, const VtiBox&,
                        const std::vector<VtiQuantity<std::uint8_t>>&);
template void write_pvti<float>(const std::filesystem::path&, const VtiGrid&, const std::vector<VtiPiece>&,
                                const std::vector<std::string>&);
template void write_pvti<double>(const std::filesystem::path&, const VtiGrid&, const std::vector<VtiPiece>&,
                                 const std::vector<std::string>&);
template void write_pvti<std::uint8_t>(const std::filesystem::path&, const VtiGrid&,
                                       const std::vector<VtiPiece>&, const std::vector<std::string>&);

}  // namespace haloheap::report

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/csv_writer.hpp>
#include <haloheap/miniapp/report/output_file.hpp>
#include <haloheap/miniapp/report/settings.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloheap::report {
namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;  // column name, text

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

template <class T>
std::string text(const std::optional<T>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

Cells result_cells(const Point& p) {
  Cells cells = {{"work.problem", p.work.problem},
                 {"work.size", fmt::format("{}", fmt::join(p.work.size, " "))},
                 {"work.steps", fmt::format("{}", p.work.steps)},
                 {"work.scalar", p.work.scalar},
                 {"work.quantities", fmt::format("{}", p.work.quantities)},
                 {"ranks", fmt::format("{}", p.ranks)},
                 {"rank_grid", fmt::format("{}", fmt::join(p.rank_grid, " "))},
                 {"path.transport", p.path.transport},
                 {"path.exchange", p.path.exchange},
                 {"path.overlap", p.path.overlap},
                 {"path.fields", p.path.fields},
                 {"path.buffers", p.path.buffers},
                 {"path.mpi", p.path.mpi.value_or("")},
                 {"path.graph", fmt::format("{}", p.path.graph)},
                 {"wall_s.median", fmt::format("{}", p.wall.median)},
                 {"wall_s.minimum", fmt::format("{}", p.wall.minimum)},
                 {"wall_s.maximum", fmt::format("{}", p.wall.maximum)},
                 {"gcells_per_s", text(p.gcells_per_s)},
                 {"effective_bandwidth_bytes_per_s", text(p.effective_bandwidth)},
                 {"copy_bandwidth_bytes_per_s", text(p.copy_bandwidth)},
                 {"fraction_of_copy", text(p.fraction_of_copy)},
                 {"exchange_s", text(p.exchange)},
                 {"upload_us", p.travel ? fmt::format("{}", 1e6 * p.travel->up) : ""},
                 {"download_us", p.travel ? fmt::format("{}", 1e6 * p.travel->down) : ""},
                 {"messages_per_exchange", fmt::format("{}", p.messages_per_exchange)},
                 {"bytes_per_exchange", fmt::format("{}", p.bytes_per_exchange)},
                 {"redundant_fraction", fmt::format("{}", p.redundant_fraction)},
                 {"speedup", text(p.speedup)},
                 {"hidden_share", text(p.hidden_share)},
                 {"memory_per_rank_bytes", fmt::format("{}", p.memory_per_rank)},
                 {"warm_up_s", fmt::format("{}", p.warm_up)}};
  return cells;
}

Cells phase_cells(const std::optional<Phases>& phases) {
  const auto seconds = [&](double Phases::*member) {
    return phases ? fmt::format("{}", (*phases).*member) : std::string();
  };
  return {{"phases.pack_s", seconds(&Phases::pack)},
          {"phases.unpack_s", seconds(&Phases::unpack)},
          {"phases.message_s", seconds(&Phases::message)},
          {"phases.inner_s", seconds(&Phases::inner)},
          {"phases.outer_s", seconds(&Phases::outer)},
          {"phases.primary_s", seconds(&Phases::primary)},
          {"phases.desynchronisation_s", phases ? text(phases->desynchronisation) : std::string()}};
}

Cells overlap_cells(const std::optional<OverlapTerms>& terms) {
  const auto seconds = [&](double OverlapTerms::*member) {
    return terms ? fmt::format("{}", (*terms).*member) : std::string();
  };
  return {{"overlap_terms.serial_s", seconds(&OverlapTerms::serial)},
          {"overlap_terms.overlapped_s", seconds(&OverlapTerms::overlapped)},
          {"overlap_terms.exchange_s", seconds(&OverlapTerms::exchange)},
          {"overlap_terms.interior_s", seconds(&OverlapTerms::interior)},
          {"overlap_terms.hidden", terms ? text(terms->hidden()) : ""},
          {"overlap_terms.efficiency", terms ? text(terms->efficiency()) : ""}};
}

Cells residual_cells(const std::optional<Residual>& residual) {
  return {{"residual.first", residual ? fmt::format("{}", residual->first) : ""},
          {"residual.last", residual ? fmt::format("{}", residual->last) : ""},
          {"residual.steps", residual ? fmt::format("{}", residual->steps) : ""}};
}

Cells verification_cells(const std::optional<Verification>& v) {
  return {{"verification.passed", v ? fmt::format("{}", v->passed()) : ""},
          {"verification.bitwise", v ? fmt::format("{}", v->bitwise) : ""},
          {"verification.sine_error", v ? text(v->sine_error) : ""},
          {"verification.tolerance", v ? text(v->tolerance) : ""},
          {"verification.differs", v ? v->differs : ""}};
}

Cells all_result_cells(const Point& point) {
  Cells cells = result_cells(point);
  for (const Cells& more : {phase_cells(point.phases), overlap_cells(point.overlap_terms),
                            residual_cells(point.residual), verification_cells(point.verification)})
    cells.insert(cells.end(), more.begin(), more.end());
  cells.emplace_back("notes", fmt::format("{}", fmt::join(point.notes, "; ")));
  return cells;
}

std::vector<std::string> deck_keys(const std::vector<Point>& points) {
  std::vector<std::string> keys;
  for (const Point& point : points) {
    for (const auto& [key, value] : point.deck) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  return keys;
}

std::vector<std::string> figure_names(const std::vector<Point>& points) {
  std::vector<std::string> names;
  for (const Point& point : points) {
    for (const Figure& figure : point.figures) {
      if (std::find(names.begin(), names.end(), figure.name) == names.end()) names.push_back(figure.name);
    }
  }
  return names;
}

std::string figure_text(const Point& point, const std::string& name) {
  for (const Figure& figure : point.figures)
    if (figure.name == name) return fmt::format("{}", figure.value);
  return "";
}

std::string line(const std::vector<std::string>& cells) {
  std::string result;
  for (std::size_t i = 0; i < cells.size(); ++i) result += (i ? "," : "") + quoted(cells[i]);
  return result + '\n';
}

}  // namespace

std::string to_csv(const Report& report) {
  const auto keys = deck_keys(report.points);
  std::vector<std::string> header = keys;
  for (const auto& [name, unused] : all_result_cells(Point{})) header.push_back(name);
  const auto figures = figure_names(report.points);
  for (const std::string& name : figures) header.push_back("figures." + name);
  std::string result = line(header);
  for (const Point& point : report.points) {
    std::vector<std::string> row;
    for (const std::string& key : keys) {
      const deck::Value* value = find(point.deck, key);
      row.push_back(value ? deck::to_string(*value) : "");
    }
    for (auto& [name, cell] : all_result_cells(point)) row.push_back(std::move(cell));
    for (const std::string& name : figures) row.push_back(figure_text(point, name));
    result += line(row);
  }
  return result;
}

void write_csv(const std::filesystem::path& path, const Report& report) {
  write_whole_file(path, to_csv(report));
}

}  // namespace haloheap::report

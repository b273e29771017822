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

std::string joined(const Cells& cells, std::string Cells::value_type::*member) {
  std::string result;
  for (const auto& cell : cells) result += ',' + quoted(cell.*member);
  return result;
}

}  // namespace

// Points of a sweep have the same titles in the same order, so that the expected place is the right one.
void CsvDocument::Columns::set(Row& row, std::size_t expected, const std::string& title,
                               const std::string& cell) {
  std::size_t column = expected;
  if (column >= titles_.size() || titles_[column] != title)
    column = static_cast<std::size_t>(std::find(titles_.begin(), titles_.end(), title) - titles_.begin());
  if (column == titles_.size()) titles_.push_back(title);
  if (row.size() <= column) row.resize(column + 1);
  row[column] = quoted(cell);
}

void CsvDocument::Columns::append_titles(std::string& line, const std::string& prefix) const {
  for (const std::string& title : titles_) line += ',' + quoted(prefix + title);
}

void CsvDocument::Columns::append(std::string& line, const Row& row) const {
  for (const std::string& cell : row) (line += ',') += cell;
  line.append(titles_.size() - row.size(), ',');
}

void CsvDocument::add(const Point& point) {
  Line line;
  for (const auto& [key, value] : point.deck)
    deck_.set(line.deck, line.deck.size(), key, deck::to_string(value));
  line.results = joined(all_result_cells(point), &Cells::value_type::second);
  for (const Figure& figure : point.figures)
    figures_.set(line.figures, line.figures.size(), figure.name, fmt::format("{}", figure.value));
  lines_.push_back(std::move(line));
}

std::string CsvDocument::text() const {
  std::string result, line;
  const auto end_line = [&] {
    result.append(line, 1) += '\n';  // without the comma in front of the first cell
    line.clear();
  };
  deck_.append_titles(line, "");
  line += joined(all_result_cells(Point{}), &Cells::value_type::first);
  figures_.append_titles(line, "figures.");
  end_line();
  for (const Line& point : lines_) {
    deck_.append(line, point.deck);
    line += point.results;
    figures_.append(line, point.figures);
    end_line();
  }
  return result;
}

std::string to_csv(const Report& report) {
  CsvDocument document;
  for (const Point& point : report.points) document.add(point);
  return document.text();
}

void write_csv(const std::filesystem::path& path, const Report& report) {
  write_whole_file(path, to_csv(report));
}

}  // namespace haloheap::report

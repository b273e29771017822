// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/csv_writer.hpp>
#include <haloheap/miniapp/report/layout.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloheap::report {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

struct CellOf {
  template <class T>
  std::string operator()(const T& value) const {
    return fmt::format("{}", value);
  }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    return fmt::format("{}", fmt::join(values, " "));
  }
  std::string operator()(const std::vector<std::string>& texts) const {
    return fmt::format("{}", fmt::join(texts, "; "));
  }
};

}  // namespace

// Most points of a sweep have the same titles in the same order, so that the expected place is the right one.
void CsvDocument::Columns::set(Row& row, std::size_t expected, const std::string& title,
                               const std::string& cell) {
  std::size_t column = expected;
  if (column >= titles_.size() || titles_[column] != title)
    column = static_cast<std::size_t>(std::find(titles_.begin(), titles_.end(), title) - titles_.begin());
  if (column == titles_.size()) titles_.push_back(title);
  if (row.size() <= column) row.resize(column + 1);
  row[column] = quoted(cell);
}

void CsvDocument::Columns::append_titles(std::string& line) const {
  for (const std::string& title : titles_) line += ',' + quoted(title);
}

void CsvDocument::Columns::append(std::string& line, const Row& row) const {
  for (const std::string& cell : row) (line += ',') += cell;
  line.append(titles_.size() - row.size(), ',');
}

void CsvDocument::add(const Point& point) {
  Line line;
  for (const auto& [key, value] : point.deck)
    deck_.set(line.deck, line.deck.size(), key, deck::to_string(value));
  for (const Measurement& measurement : values_of(point))
    results_.set(line.results, line.results.size(), measurement.quantity->name,
                 std::visit(CellOf{}, measurement.value));
  lines_.push_back(std::move(line));
}

std::string CsvDocument::text() const {
  std::string result, line;
  const auto end_line = [&] {
    result.append(line, 1) += '\n';  // without the comma in front of the first cell
    line.clear();
  };
  deck_.append_titles(line);
  results_.append_titles(line);
  if (line.empty()) return "\n";
  end_line();
  for (const Line& point : lines_) {
    deck_.append(line, point.deck);
    results_.append(line, point.results);
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

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/layout.hpp>
#include <haloheap/miniapp/report/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace haloheap::report {
namespace {

using Points = std::vector<const Point*>;

const char* const absent = "-";

/// Code points, not bytes: enough for the texts of a deck.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

std::size_t width_of(const Column& column) {
  std::size_t width = width_of(column.title);
  for (const std::string& cell : column.cells) width = std::max(width, width_of(cell));
  return width;
}

std::size_t rows_of(const Table& table) {
  return table.empty() ? 0 : table.front().cells.size();
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - width_of(text), ' ');
  return right ? space + text : text + space;
}

/// "halo.depth" becomes "depth" as long as no other key of the table ends so.
std::string short_title(const std::string& key, const std::vector<std::string>& keys) {
  const auto last = [](const std::string& k) { return k.substr(k.rfind('.') + 1); };
  const auto alike =
      std::count_if(keys.begin(), keys.end(), [&](const auto& k) { return last(k) == last(key); });
  return alike == 1 ? last(key) : key;
}

Column settings_column(const std::string& key, const Points& points) {
  Column column{key, {}, true};
  for (const Point* point : points) {
    const deck::Value* value = find(point->swept, key);
    column.cells.push_back(value ? deck::to_string(*value) : absent);
    if (value && std::holds_alternative<std::string>(*value)) column.right_aligned = false;
  }
  return column;
}

/// The swept keys whose value is not the same in all points.
Table varying_columns(const Points& points) {
  std::vector<std::string> keys;
  for (const Point* point : points) {
    for (const auto& [key, value] : point->swept) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
  }
  Table table;
  for (const std::string& key : keys) {
    Column column = settings_column(key, points);
    const auto& cells = column.cells;
    const bool same =
        std::all_of(cells.begin(), cells.end(), [&](const auto& c) { return c == cells.front(); });
    if (!same) table.push_back(std::move(column));
  }
  std::vector<std::string> titles;
  for (const Column& column : table) titles.push_back(column.title);
  for (Column& column : table) column.title = short_title(column.title, titles);
  return table;
}

/// Decimals that show three digits of the smallest magnitude, so that a column can be read downwards.
std::string format_for(const std::vector<std::optional<double>>& numbers) {
  double smallest = 0;
  for (const auto& n : numbers) {
    const double magnitude = n && std::isfinite(*n) ? std::abs(*n) : 0;
    if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
  }
  const int decimals =
      smallest > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(smallest))), 0, 6) : 0;
  return fmt::format(".{}f", decimals);
}

std::string heading_of(const Quantity& quantity) {
  if (!quantity.shown->heading.empty()) return quantity.shown->heading;
  return quantity.unit.empty() ? quantity.title : fmt::format("{} [{}]", quantity.title, quantity.unit);
}

/// The branch of a table by itself; empty: the main table.
std::string table_of(const Quantity& quantity) {
  return quantity.shown->apart ? branch_of(quantity) : std::string();
}

/// What all points have under one heading.
class ValueColumn {
 public:
  ValueColumn(const Quantity& quantity, std::size_t rows)
      : heading_(heading_of(quantity)),
        format_(quantity.shown->format),
        texts_(rows, absent),
        numbers_(rows) {}

  const std::string& heading() const { return heading_; }

  void set(std::size_t row, const Measurement& measurement) {
    const double factor = measurement.quantity->shown->factor;
    if (const auto* real = std::get_if<double>(&measurement.value))
      numbers_[row] = factor * *real;
    else if (const auto* integer = std::get_if<std::int64_t>(&measurement.value))
      numbers_[row] = factor * static_cast<double>(*integer);
    else if (const auto* yes = std::get_if<bool>(&measurement.value))
      set_text(row, *yes ? "yes" : "NO");
    else
      set_text(row, deck::to_string(measurement.value));
  }

  Column text() const {
    const std::string format = "{:" + (format_.empty() ? format_for(numbers_) : format_) + "}";
    Column column{heading_, texts_, !any_text_};
    for (std::size_t row = 0; row < numbers_.size(); ++row)
      if (numbers_[row]) column.cells[row] = fmt::format(fmt::runtime(format), *numbers_[row]);
    return column;
  }

 private:
  void set_text(std::size_t row, std::string text) {
    texts_[row] = std::move(text);
    any_text_ = true;
  }

  std::string heading_, format_;
  std::vector<std::string> texts_;
  std::vector<std::optional<double>> numbers_;
  bool any_text_ = false;
};

/// One row a point: what varies, and the columns of the main table, or of a branch that has one of its own.
/// Points of other problems bring other columns along: each behind the one that the point has before it.
Table table_of(const Points& points, const std::string& branch) {
  std::vector<ValueColumn> columns;
  for (std::size_t row = 0; row < points.size(); ++row) {
    auto place = columns.begin();
    for (const Measurement& measurement : values_of(*points[row])) {
      const Quantity& quantity = *measurement.quantity;
      if (!quantity.shown || table_of(quantity) != branch) continue;
      auto column = std::find_if(columns.begin(), columns.end(),
                                 [&](const ValueColumn& c) { return c.heading() == heading_of(quantity); });
      if (column == columns.end()) column = columns.insert(place, ValueColumn(quantity, points.size()));
      column->set(row, measurement);
      place = column + 1;
    }
  }
  Table table = varying_columns(points);
  for (const ValueColumn& column : columns) table.push_back(column.text());
  return table;
}

}  // namespace

std::string to_text(const Table& table) {
  const auto line = [&](const std::function<std::string(const Column&, std::size_t)>& cell) {
    std::string text;
    for (const Column& column : table) text += cell(column, width_of(column)) + "  ";
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  };
  std::string text = line([](const Column& c, std::size_t w) { return padded(c.title, w, c.right_aligned); });
  text += line([](const Column&, std::size_t w) { return std::string(w, '-'); });
  for (std::size_t row = 0; row < rows_of(table); ++row) {
    text += line([&](const Column& c, std::size_t w) { return padded(c.cells[row], w, c.right_aligned); });
  }
  return text;
}

std::string to_markdown(const Table& table) {
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '|' ? "\\|" : std::string(1, c);
    return result;
  };
  const auto line = [&](const std::function<std::string(const Column&)>& cell) {
    std::string text = "|";
    for (const Column& column : table) text += ' ' + cell(column) + " |";
    return text + '\n';
  };
  std::string text = line([&](const Column& c) { return escaped(c.title); });
  text += line([](const Column& c) { return std::string(c.right_aligned ? "---:" : "---"); });
  for (std::size_t row = 0; row < rows_of(table); ++row) {
    text += line([&](const Column& c) { return escaped(c.cells[row]); });
  }
  return text;
}

Table result_table(const Report& report) {
  Points points;
  for (const Point& point : report.points) points.push_back(&point);
  return table_of(points, "");
}

std::vector<Table> tables_apart(const Report& report) {
  std::vector<std::pair<std::string, Points>> branches;  // with the points that have them
  for (const Point& point : report.points) {
    for (const Measurement& measurement : values_of(point)) {
      const Quantity& quantity = *measurement.quantity;
      if (!quantity.shown || !quantity.shown->apart) continue;
      const std::string name = branch_of(quantity);
      auto branch =
          std::find_if(branches.begin(), branches.end(), [&](const auto& b) { return b.first == name; });
      if (branch == branches.end()) branch = branches.insert(branches.end(), {name, {}});
      if (branch->second.empty() || branch->second.back() != &point) branch->second.push_back(&point);
    }
  }
  std::vector<Table> tables;
  for (const auto& [branch, points] : branches) tables.push_back(table_of(points, branch));
  return tables;
}

std::string notes_text(const Report& report) {
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;  // text, labels of its points
  for (const Point& point : report.points) {
    for (const std::string& text : point.notes) {
      auto note = std::find_if(notes.begin(), notes.end(), [&](const auto& n) { return n.first == text; });
      if (note == notes.end()) note = notes.insert(notes.end(), {text, {}});
      note->second.push_back(label_of(point.swept));
    }
  }
  std::string text;
  for (const auto& [note, labels] : notes) {
    std::string where;
    if (labels.size() == 1) where = fmt::format(" ({})", labels.front());
    if (labels.size() > 1) where = fmt::format(" ({} of {} points)", labels.size(), report.points.size());
    if (labels.size() == report.points.size()) where.clear();
    text += fmt::format("note{}: {}\n", where, note);
  }
  return text;
}

}  // namespace haloheap::report

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/settings.hpp>
#include <haloheap/miniapp/report/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace haloheap::report {
namespace {

using Number = std::optional<double>;
using Pick = std::function<Number(const Point&)>;

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

/// Decimals that show three digits of the smallest magnitude, so that a column can be read downwards.
int decimals_for(const std::vector<Number>& numbers) {
  double smallest = 0;
  for (const Number& n : numbers) {
    const double magnitude = n && std::isfinite(*n) ? std::abs(*n) : 0;
    if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
  }
  if (smallest == 0) return 0;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(smallest))), 0, 6);
}

/// A column of numbers; nothing when no point has one.
std::optional<Column> numbers(std::string title, const std::vector<const Point*>& points, const Pick& pick,
                              std::optional<int> decimals = {}) {
  std::vector<Number> values;
  for (const Point* point : points) values.push_back(pick(*point));
  if (std::none_of(values.begin(), values.end(), [](const Number& v) { return v.has_value(); })) return {};
  const int shown = decimals ? *decimals : decimals_for(values);
  Column column{std::move(title), {}, true};
  for (const Number& v : values) column.cells.push_back(v ? fmt::format("{:.{}f}", *v, shown) : absent);
  return column;
}

void append(Table& table, std::optional<Column> column) {
  if (column) table.push_back(std::move(*column));
}

/// "halo.depth" becomes "depth" as long as no other key of the table ends so.
std::string short_title(const std::string& key, const std::vector<std::string>& keys) {
  const auto last = [](const std::string& k) { return k.substr(k.rfind('.') + 1); };
  const auto alike =
      std::count_if(keys.begin(), keys.end(), [&](const auto& k) { return last(k) == last(key); });
  return alike == 1 ? last(key) : key;
}

Column settings_column(const std::string& key, const std::vector<const Point*>& points) {
  Column column{key, {}, true};
  for (const Point* point : points) {
    const deck::Value* value = find(point->swept, key);
    column.cells.push_back(value ? deck::to_string(*value) : absent);
    if (value && std::holds_alternative<std::string>(*value)) column.right_aligned = false;
  }
  return column;
}

/// The swept keys whose value is not the same in all points.
Table varying_columns(const std::vector<const Point*>& points) {
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

Number spread_percent(const Point& p) {
  if (!(p.wall.maximum > p.wall.minimum) || !(p.wall.median > 0)) return {};
  return 100 * (p.wall.maximum - p.wall.minimum) / p.wall.median;
}

Number scaled(const Number& value, double factor) {
  return value ? Number(factor * *value) : Number();
}

Number percent(const Number& share) {
  return scaled(share, 100);
}

/// Seconds of a whole run, which say little where the problem has figures of its own.
Number time(const Point& p) {
  return p.figures.empty() ? Number(p.wall.median) : Number();
}

Pick way(double Travel::*member) {
  return [member](const Point& p) { return p.travel ? Number(1e6 * (*p.travel).*member) : Number(); };
}

Number figure(const Point& p, const std::string& title) {
  for (const Figure& f : p.figures)
    if (f.title == title) return f.value;
  return {};
}

std::vector<std::string> figure_titles(const std::vector<const Point*>& points) {
  std::vector<std::string> titles;
  for (const Point* point : points) {
    for (const Figure& f : point->figures) {
      if (!f.title.empty() && std::find(titles.begin(), titles.end(), f.title) == titles.end())
        titles.push_back(f.title);
    }
  }
  return titles;
}

std::optional<Column> residuals(const std::vector<const Point*>& points) {
  Column column{"residual", {}, true};
  bool any = false;
  for (const Point* point : points) {
    any = any || point->residual.has_value();
    column.cells.push_back(point->residual ? fmt::format("{:.6e}", point->residual->last) : absent);
  }
  return any ? std::optional(column) : std::nullopt;
}

std::optional<Column> verified(const std::vector<const Point*>& points) {
  Column column{"verified", {}, false};
  bool any = false;
  for (const Point* point : points) {
    any = any || point->verification.has_value();
    column.cells.push_back(!point->verification ? absent : point->verification->passed() ? "yes" : "NO");
  }
  return any ? std::optional(column) : std::nullopt;
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
  std::vector<const Point*> points;
  for (const Point& point : report.points) points.push_back(&point);
  Table table = varying_columns(points);
  append(table, numbers("time [s]", points, time));
  append(table, numbers("spread [%]", points, spread_percent, 1));
  append(table, numbers("GCells/s", points, [](const Point& p) { return p.gcells_per_s; }));
  append(table, numbers("GB/s", points, [](const Point& p) { return scaled(p.effective_bandwidth, 1e-9); }));
  append(table, numbers("exchange [us]", points, [](const Point& p) { return scaled(p.exchange, 1e6); }));
  append(table, numbers("upload [us]", points, way(&Travel::up)));
  append(table, numbers("download [us]", points, way(&Travel::down)));
  append(table, numbers(
                    "% of copy", points, [](const Point& p) { return percent(p.fraction_of_copy); }, 1));
  append(table, numbers(
                    "speed-up", points, [](const Point& p) { return p.speedup; }, 2));
  append(table, numbers(
                    "hidden [%]", points, [](const Point& p) { return percent(p.hidden_share); }, 1));
  for (const std::string& title : figure_titles(points))
    append(table, numbers(title, points, [&title](const Point& p) { return figure(p, title); }));
  append(table, residuals(points));
  append(table, verified(points));
  return table;
}

std::optional<Table> phase_table(const Report& report) {
  std::vector<const Point*> points;
  for (const Point& point : report.points) {
    if (point.phases) points.push_back(&point);
  }
  if (points.empty()) return {};
  Table table = varying_columns(points);
  const auto phase = [&](const char* title, double Phases::*member) {
    append(table, numbers(title, points, [member](const Point& p) { return (*p.phases).*member; }));
  };
  phase("pack [s]", &Phases::pack);
  phase("message [s]", &Phases::message);
  append(table, numbers("desync [s]", points, [](const Point& p) { return p.phases->desynchronisation; }));
  phase("unpack [s]", &Phases::unpack);
  phase("inner [s]", &Phases::inner);
  phase("outer [s]", &Phases::outer);
  phase("primary [s]", &Phases::primary);
  return table;
}

std::optional<Table> overlap_table(const Report& report) {
  std::vector<const Point*> points;
  for (const Point& point : report.points) {
    if (point.overlap_terms) points.push_back(&point);
  }
  if (points.empty()) return {};
  Table table = varying_columns(points);
  const auto term = [&](const char* title, double OverlapTerms::*member) {
    append(table, numbers(title, points, [member](const Point& p) { return (*p.overlap_terms).*member; }));
  };
  const auto share = [&](const char* title, Number (OverlapTerms::*ratio)() const) {
    const auto pick = [ratio](const Point& p) { return percent(((*p.overlap_terms).*ratio)()); };
    append(table, numbers(title, points, pick, 1));
  };
  term("serial [s]", &OverlapTerms::serial);
  term("overlapped [s]", &OverlapTerms::overlapped);
  term("exchange [s]", &OverlapTerms::exchange);
  term("interior [s]", &OverlapTerms::interior);
  share("hidden [%]", &OverlapTerms::hidden);
  share("efficiency [%]", &OverlapTerms::efficiency);
  return table;
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

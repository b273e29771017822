// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/json_writer.hpp>
#include <haloheap/miniapp/report/layout.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <variant>

namespace haloheap::report {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const deck::Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Json json_of(const Settings& settings) {
  Json object = Json::object();
  for (const auto& [key, value] : settings) object[key] = json_of(value);
  return object;
}

/// A value at its place in the tree: objects on the way there are made.
void put(Json& tree, const Measurement& measurement) {
  Json* place = &tree;
  std::string_view rest = measurement.quantity->name;
  for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
    place = &(*place)[std::string(rest.substr(0, dot))];
    rest.remove_prefix(dot + 1);
  }
  (*place)[std::string(rest)] = json_of(measurement.value);
}

Json json_of(const Point& point) {
  Json object;
  object["deck"] = json_of(point.deck);
  object["swept"] = json_of(point.swept);
  for (const Measurement& measurement : values_of(point)) put(object, measurement);
  return object;
}

/// What a reader of the file needs to label a number.
Json label_of(const Quantity& quantity) {
  Json label = {{"title", quantity.title}};
  if (!quantity.unit.empty()) label["unit"] = quantity.unit;
  label["description"] = quantity.help;
  return label;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

/// JSON in lines of up to 120 characters where it can be: what fits into one is on one.
/// @param indent of the line that it begins on, which has so many characters before it
std::string wrapped(const Json& json, std::size_t indent, std::size_t before) {
  constexpr std::size_t width = 119;  // a comma may follow
  const std::string line = json.dump();
  if (!json.is_structured() || json.empty() || before + line.size() <= width) return line;
  const std::string inner(indent + 2, ' ');
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const std::string begin = inner + (json.is_object() ? Json(key).dump() + ": " : "");
    text += (text.empty() ? "\n" : ",\n") + begin + wrapped(value, inner.size(), begin.size());
  }
  const std::string end = "\n" + std::string(indent, ' ');
  return json.is_object() ? "{" + text + end + "}" : "[" + text + end + "]";
}

Json object_schema() {
  return {{"type", "object"},
          {"additionalProperties", false},
          {"required", Json::array()},
          {"properties", Json::object()}};
}

Json type_schema(deck::Type type, Range range) {
  switch (type) {
    case deck::Type::boolean:
      return {{"type", "boolean"}};
    case deck::Type::text:
      return {{"type", "string"}};
    case deck::Type::integer:
    case deck::Type::real: {
      const bool whole = type == deck::Type::integer;
      Json schema;
      schema["type"] = whole ? Json("integer") : Json({"number", "null"});
      if (range == Range::not_negative) schema["minimum"] = 0;
      if (range == Range::positive) schema[whole ? "minimum" : "exclusiveMinimum"] = whole ? 1 : 0;
      return schema;
    }
    default:
      return {{"type", "array"}, {"items", type_schema(deck::element_of(type), range)}};
  }
}

void require(Json& object, const std::string& name) {
  Json& required = object["required"];
  if (std::find(required.begin(), required.end(), name) == required.end()) required.push_back(name);
}

/// Adds a quantity at its place, with the objects on the way there.
/// @param required whether it has to be there, where it is always there
void describe(Json& object, const Quantity& quantity, bool required = true) {
  Json* place = &object;
  std::string_view rest = quantity.name;
  for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
    const std::string branch(rest.substr(0, dot));
    if (required && quantity.presence == Presence::always) require(*place, branch);
    place = &(*place)["properties"][branch];
    if (place->is_null()) *place = object_schema();
    rest.remove_prefix(dot + 1);
  }
  const std::string leaf(rest);
  if (required && quantity.presence != Presence::sometimes) require(*place, leaf);
  Json schema = label_of(quantity);
  schema.update(type_schema(quantity.type, quantity.range));
  (*place)["properties"][leaf] = schema;
}

template <class Result>
void describe(Json& object, const Quantities<Result>& quantities) {
  for (const auto& row : quantities.rows()) describe(object, row.quantity);
}

void describe_settings(Json& object, const char* name, const char* help) {
  require(object, name);
  object["properties"][name] = {{"description", help}, {"$ref", "#/$defs/settings"}};
}

/// What one problem more measures is not required, so that files that were written before stay valid.
Json point_schema(const ProblemQuantities& problem, const std::vector<ProblemQuantities>& problems) {
  const auto all_have = [&](const std::string& name) {
    return std::all_of(problems.begin(), problems.end(), [&](const ProblemQuantities& p) {
      return std::any_of(p.quantities.begin(), p.quantities.end(),
                         [&](const Quantity* q) { return q->name == name; });
    });
  };
  Json schema = object_schema();
  describe_settings(schema, "deck", "The keys of the deck that the problem uses, defaults filled in.");
  describe_settings(schema, "swept", "The keys that the sweep varies, with this point's values.");
  describe(schema, point_head());
  for (const Quantity* quantity : problem.quantities) describe(schema, *quantity, all_have(quantity->name));
  describe(schema, point_tail());
  return schema;
}

/// What all points have in common: which problem says what else they have.
Json any_point_schema(const std::vector<ProblemQuantities>& problems) {
  Json names = Json::array(), each = Json::array();
  for (const ProblemQuantities& problem : problems) {
    const Json is_it = {
        {"properties", {{"work", {{"properties", {{"problem", {{"const", problem.problem}}}}}}}}}};
    names.push_back(problem.problem);
    each.push_back({{"if", is_it}, {"then", {{"$ref", "#/$defs/" + problem.problem}}}});
  }
  const Json work = {{"type", "object"},
                     {"required", Json::array({"problem"})},
                     {"properties", {{"problem", {{"enum", names}}}}}};
  return {{"description", "What a point has depends on its problem."},
          {"type", "object"},
          {"required", Json::array({"work"})},
          {"properties", {{"work", work}}},
          {"allOf", each}};
}

/// What all problems have alike is defined once, and so is a problem that has all that another one has.
void share(Json& definitions, const std::vector<ProblemQuantities>& problems) {
  Json every = object_schema();
  for (const auto& [name, schema] : definitions[problems.front().problem]["properties"].items()) {
    const bool alike = std::all_of(
        problems.begin(), problems.end(), [&, &name = name, &schema = schema](const ProblemQuantities& p) {
          return definitions[p.problem]["properties"].value(name, Json()) == schema;
        });
    if (alike) every["properties"][name] = schema;
  }
  for (const auto& [name, schema] : every["properties"].items())
    for (const ProblemQuantities& problem : problems)
      definitions[problem.problem]["properties"][name] = {{"$ref", "#/$defs/every_point/properties/" + name}};
  for (auto problem = problems.begin(); problem != problems.end(); ++problem) {
    const Json own = definitions[problem->problem];
    const auto same = std::find_if(problems.begin(), problem,
                                   [&](const ProblemQuantities& p) { return definitions[p.problem] == own; });
    if (same != problem) definitions[problem->problem] = {{"$ref", "#/$defs/" + same->problem}};
  }
  every.erase("additionalProperties");
  every.erase("required");
  definitions["every_point"] = every;
}

Json document_schema() {
  Json schema = object_schema();
  const auto add = [&](const char* name, Json what) {
    require(schema, name);
    schema["properties"][name] = std::move(what);
  };
  add("format", {{"const", "haloheap-results"}});
  add("format_version", {{"const", 1}});
  describe(schema, report_quantities());
  Json& provenance = schema["properties"]["provenance"];
  require(provenance, "seeds");
  provenance["properties"]["seeds"] = {
      {"description", "Seeds of random numbers that the run's problems use, by their keys in the deck."},
      {"type", "object"},
      {"additionalProperties", {{"type", "integer"}, {"minimum", 0}}}};
  schema["properties"]["quantities"] = {
      {"description",
       "Of each problem what was measured: the places in a point, a dot between levels, with what a picture "
       "or "
       "table needs to label them."},
      {"type", "object"},
      {"additionalProperties", {{"type", "object"}, {"additionalProperties", {{"$ref", "#/$defs/label"}}}}}};
  add("points",
      {{"description",
        "One entry for each combination of deck values that has finished, in the order of the sweep."},
       {"type", "array"},
       {"items", {{"$ref", "#/$defs/point"}}}});
  return schema;
}

Json schema_of(const std::vector<ProblemQuantities>& problems) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"$comment",
                  "SPDX-FileCopyrightText: 2026 the haloheap contributors, SPDX-License-Identifier: "
                  "BSD-3-Clause. Generated "
                  "by haloheap --results-schema: change the quantities, not this file."},
                 {"title", "haloheap results"},
                 {"description",
                  "What one run of haloheap writes to results.json. What does not apply is left out; a "
                  "number that was not "
                  "finite is null."}};
  schema.update(document_schema());
  Json& definitions = schema["$defs"];
  definitions["label"] = {{"type", "object"},
                          {"additionalProperties", false},
                          {"required", {"title", "description"}},
                          {"properties",
                           {{"title", {{"type", "string"}}},
                            {"unit", {{"type", "string"}}},
                            {"description", {{"type", "string"}}}}}};
  const Json scalar = {{"type", {"boolean", "integer", "number", "string", "null"}}};
  const Json list = {{"type", "array"}, {"items", {{"type", {"number", "string", "null"}}}}};
  definitions["settings"] = {{"description",
                              "Deck keys with their section, for example halo.depth. A list here is one "
                              "value (a grid size), not a sweep."},
                             {"type", "object"},
                             {"additionalProperties", {{"anyOf", Json::array({scalar, list})}}}};
  definitions["point"] = any_point_schema(problems);
  for (const ProblemQuantities& problem : problems)
    definitions[problem.problem] = point_schema(problem, problems);
  share(definitions, problems);
  return schema;
}

}  // namespace

void JsonDocument::add(const Point& point) {
  points_ += points_.empty() ? "\n" : ",\n";
  points_ += "    ";
  for (const char c : text_of(json_of(point))) {
    points_ += c;
    if (c == '\n') points_ += "    ";  // lines end between tokens only: strings have them escaped
  }
  for (const Measurement& measurement : point.measured) {
    QuantityList& known = quantities_[point.work.problem];
    if (std::find(known.begin(), known.end(), measurement.quantity) == known.end())
      known.push_back(measurement.quantity);
  }
}

std::string JsonDocument::text(const Report& report) const {
  Json head = {{"format", "haloheap-results"}, {"format_version", 1}};
  std::vector<Measurement> values;
  report_quantities().measure(report, values);
  for (const Measurement& measurement : values) put(head, measurement);
  head["provenance"]["seeds"] = Json::object();
  for (const auto& [name, seed] : report.provenance.seeds) head["provenance"]["seeds"][name] = seed;
  head["quantities"] = Json::object();
  for (const auto& [problem, quantities] : quantities_)
    for (const Quantity* quantity : quantities)
      head["quantities"][problem][quantity->name] = label_of(*quantity);
  std::string document = text_of(head);
  document.resize(document.size() - 2);  // "\n}"
  return document + ",\n  \"points\": [" + points_ + (points_.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string to_json(const Report& report) {
  JsonDocument document;
  for (const Point& point : report.points) document.add(point);
  return document.text(report);
}

std::string results_schema(const std::vector<ProblemQuantities>& problems) {
  return wrapped(schema_of(problems), 0, 0) + "\n";
}

void write_json(const std::filesystem::path& path, const Report& report) {
  write_whole_file(path, to_json(report));
}

}  // namespace haloheap::report

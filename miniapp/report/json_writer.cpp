// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/json_writer.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <nlohmann/json.hpp>

#include <variant>

namespace haloheap::report {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
void put(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

Json json_of(const Settings& settings) {
  Json object = Json::object();
  for (const auto& [key, value] : settings) {
    object[key] = std::visit([](const auto& v) { return Json(v); }, value);
  }
  return object;
}

Json json_of(const Phases& phases) {
  Json object = {{"pack_s", phases.pack},   {"unpack_s", phases.unpack}, {"message_s", phases.message},
                 {"inner_s", phases.inner}, {"outer_s", phases.outer},   {"primary_s", phases.primary}};
  put(object, "desynchronisation_s", phases.desynchronisation);
  return object;
}

Json json_of(const OverlapTerms& terms) {
  Json object = {{"serial_s", terms.serial},
                 {"overlapped_s", terms.overlapped},
                 {"exchange_s", terms.exchange},
                 {"interior_s", terms.interior}};
  put(object, "hidden", terms.hidden());
  put(object, "efficiency", terms.efficiency());
  return object;
}

Json json_of(const Path& path) {
  Json object = {{"transport", path.transport},
                 {"exchange", path.exchange},
                 {"overlap", path.overlap},
                 {"fields", path.fields},
                 {"buffers", path.buffers}};
  put(object, "mpi", path.mpi);
  object["graph"] = path.graph;
  return object;
}

Json json_of(const Verification& verification) {
  Json object = {{"passed", verification.passed()}, {"bitwise", verification.bitwise}};
  put(object, "sine_error", verification.sine_error);
  put(object, "tolerance", verification.tolerance);
  if (!verification.differs.empty()) object["differs"] = verification.differs;
  return object;
}

Json json_of(const Point& p) {
  Json object;
  object["deck"] = json_of(p.deck);
  object["swept"] = json_of(p.swept);
  object["work"] = {{"problem", p.work.problem},
                    {"size", p.work.size},
                    {"steps", p.work.steps},
                    {"scalar", p.work.scalar},
                    {"quantities", p.work.quantities}};
  object["ranks"] = p.ranks;
  object["rank_grid"] = p.rank_grid;
  object["path"] = json_of(p.path);
  object["wall_s"] = {{"median", p.wall.median}, {"minimum", p.wall.minimum}, {"maximum", p.wall.maximum}};
  put(object, "gcells_per_s", p.gcells_per_s);
  put(object, "effective_bandwidth_bytes_per_s", p.effective_bandwidth);
  put(object, "copy_bandwidth_bytes_per_s", p.copy_bandwidth);
  put(object, "fraction_of_copy", p.fraction_of_copy);
  put(object, "exchange_s", p.exchange);
  if (p.travel) {
    object["upload_us"] = 1e6 * p.travel->up;
    object["download_us"] = 1e6 * p.travel->down;
  }
  object["messages_per_exchange"] = p.messages_per_exchange;
  object["bytes_per_exchange"] = p.bytes_per_exchange;
  object["redundant_fraction"] = p.redundant_fraction;
  put(object, "speedup", p.speedup);
  put(object, "hidden_share", p.hidden_share);
  object["memory_per_rank_bytes"] = p.memory_per_rank;
  object["warm_up_s"] = p.warm_up;
  if (p.phases) object["phases"] = json_of(*p.phases);
  if (p.overlap_terms) object["overlap_terms"] = json_of(*p.overlap_terms);
  if (p.residual)
    object["residual"] = {
        {"first", p.residual->first}, {"last", p.residual->last}, {"steps", p.residual->steps}};
  if (p.verification) object["verification"] = json_of(*p.verification);
  for (const Figure& figure : p.figures) object["figures"][figure.name] = figure.value;
  object["notes"] = p.notes;
  return object;
}

Json json_of(const Provenance& p) {
  Json object;
  object["program_version"] = p.program_version;
  object["git_revision"] = p.git_revision;
  object["compiler"] = p.compiler;
  object["compiler_flags"] = p.compiler_flags;
  object["kokkos_version"] = p.kokkos_version;
  object["kokkos_configuration"] = p.kokkos_configuration;
  object["execution_space"] = p.execution_space;
  object["mpi_library"] = p.mpi_library;
  object["gpu_aware"] = p.gpu_aware;
  object["gpu_aware_from"] = p.gpu_aware_from;
  object["devices"] = p.devices;
  object["hosts"] = p.hosts;
  object["ranks"] = p.ranks;
  object["start_time"] = p.start_time;
  object["seeds"] = Json::object();
  for (const auto& [name, seed] : p.seeds) object["seeds"][name] = seed;
  object["command_line"] = p.command_line;
  return object;
}

Json json_of(const Completion& completion, std::size_t finished) {
  Json object = {{"complete", completion.complete},
                 {"planned_points", completion.planned},
                 {"finished_points", finished}};
  if (!completion.error.empty()) object["error"] = completion.error;
  return object;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void JsonDocument::add(const Point& point) {
  points_ += points_.empty() ? "\n" : ",\n";
  points_ += "    ";
  for (const char c : text_of(json_of(point))) {
    points_ += c;
    if (c == '\n') points_ += "    ";  // lines end between tokens only: strings have them escaped
  }
}

std::string JsonDocument::text(const Report& report) const {
  Json head;
  head["format"] = "haloheap-results";
  head["format_version"] = 1;
  head["provenance"] = json_of(report.provenance);
  if (report.completion) head["completion"] = json_of(*report.completion, report.points.size());
  std::string document = text_of(head);
  document.resize(document.size() - 2);  // "\n}"
  return document + ",\n  \"points\": [" + points_ + (points_.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string to_json(const Report& report) {
  JsonDocument document;
  for (const Point& point : report.points) document.add(point);
  return document.text(report);
}

void write_json(const std::filesystem::path& path, const Report& report) {
  write_whole_file(path, to_json(report));
}

}  // namespace haloheap::report

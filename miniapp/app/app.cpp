// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/host/device_memory_probe.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/coherence/protocol.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/miniapp/advise/advice.hpp>
#include <haloheap/miniapp/advise/command.hpp>
#include <haloheap/miniapp/app/app.hpp>
#include <haloheap/miniapp/app/provenance.hpp>
#include <haloheap/miniapp/choices.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/report/comparisons.hpp>
#include <haloheap/miniapp/report/layout.hpp>
#include <haloheap/miniapp/report/output_file.hpp>
#include <haloheap/miniapp/report/results_files.hpp>
#include <haloheap/miniapp/report/settings.hpp>
#include <haloheap/miniapp/report/table.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>

namespace haloheap {
namespace {

using deck::Action;
using deck::Deck;

report::Progress make_progress(const Deck& deck, const deck::CommandLine& command, bool first_rank) {
  const bool shown =
      first_rank && !command.quiet && deck.choice<ProgressLine>("output.progress") != ProgressLine::off;
  return shown ? report::progress_to(stderr) : report::no_progress();
}

report::Settings swept_settings(const deck::Sweep& sweep, const Deck& deck) {
  report::Settings settings;
  for (const std::string& key : sweep.swept_keys()) settings.emplace_back(key, deck.value(key));
  return settings;
}

/// A problem of the sweep, and the keys of the deck that it uses.
class PooledProblem {
 public:
  explicit PooledProblem(const ProblemEntry& info) : problem_(info.make()), schema_(schema_of(info)) {}

  Problem& operator*() const { return *problem_; }
  Problem* operator->() const { return problem_.get(); }

  report::Settings settings(const Deck& deck) const {
    report::Settings own;
    for (const auto& [key, value] : deck.as_map())
      if (schema_.find(key)) own.emplace_back(key, value);
    return own;
  }

  std::vector<std::string> seeds() const {
    std::vector<std::string> names;
    for (const deck::Key* key : schema_.keys())
      if (key->is_seed) names.push_back(key->name);
    return names;
  }

 private:
  std::unique_ptr<Problem> problem_;
  deck::Schema schema_;
};

/// One object a problem for the whole sweep: points share what it keeps.
class ProblemPool {
 public:
  PooledProblem& of(const Deck& deck) {
    const auto name = deck.get<std::string>("problem");
    return made_.try_emplace(name, problems().at(name)).first->second;
  }
  const std::map<std::string, PooledProblem>& all() const { return made_; }

 private:
  std::map<std::string, PooledProblem> made_;
};

/// Every point's rules are checked before the first point runs.
std::string plan(const deck::Sweep& sweep, ProblemPool& pool, int ranks) {
  std::string text;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    const Deck deck = sweep.point(i);
    const std::string label = report::label_of(swept_settings(sweep, deck));
    text += fmt::format("point {}/{}{}{}: {}", i + 1, sweep.size(), label.empty() ? "" : " ", label,
                        pool.of(deck)->plan(advise::without_auto(deck), ranks));
  }
  return text;
}

report::Point run_point(const deck::Sweep& sweep, std::size_t i, ProblemPool& pool,
                        const comm::Communicator& communicator, report::Progress& progress) {
  Deck deck = sweep.point(i);
  std::string advice;
  if (advise::has_automatic_keys(deck)) {
    advise::PointRunner runner(communicator, advise::longest);
    const advise::Advice found = advise::advise(deck, advise::Scope::automatic(), runner);
    deck = advise::without_auto(deck).with(found.keys);
    if (!found.keys.empty()) advice = "auto: " + found.why;
  }
  const PooledProblem& problem = pool.of(deck);
  const report::Settings swept = swept_settings(sweep, deck);
  progress.begin_point(i + 1, sweep.size(), report::label_of(swept), problem->updates(deck));
  const RunContext context{communicator, deck, progress, deck.get<std::string>("output.folder"),
                           fmt::format("point_{:03d}", i + 1)};
  report::Point point = problem->run(context);
  point.deck = problem.settings(deck);
  point.swept = swept;
  if (!advice.empty()) point.notes.push_back(advice);
  return point;
}

void fill_gpu_awareness(report::Report& report) {
  bool probed = false;
  for (const report::Point& point : report.points) probed = probed || point.mpi_took_device_memory;
  const comm::GpuAwareness known = comm::gpu_awareness(comm::mpi_cuda_support(), probed);
  report.provenance.gpu_aware = known.gpu_aware;
  report.provenance.gpu_aware_from = known.from;
}

void fill_seeds(report::Report& report, const Deck& deck, const ProblemPool& pool) {
  std::map<std::string, std::uint64_t> seeds;
  for (const auto& [name, problem] : pool.all())
    for (const std::string& key : problem.seeds())
      seeds[key] = static_cast<std::uint64_t>(deck.get<std::int64_t>(key));
  report.provenance.seeds.assign(seeds.begin(), seeds.end());
}

void fill_what_compares_points(std::vector<report::Point>& points, const ProblemPool& pool) {
  for (const auto& [name, problem] : pool.all())
    report::fill_comparisons(points, name, problem->quantities());
}

void run_points(const deck::Sweep& sweep, ProblemPool& pool, const comm::Communicator& communicator,
                report::Progress& progress, report::Report& report, report::ResultsFiles& files) {
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    report.points.push_back(run_point(sweep, i, pool, communicator, progress));
    if (i + 1 == sweep.size()) return;
    fill_gpu_awareness(report);
    agree(communicator, [&] {
      if (communicator.rank() == 0) files.add_last(report);
    });
  }
}

/// Of a run that ends early. The error that ends it is the one to report, so that none comes from here.
void keep_finished(report::Report& report, const ProblemPool& pool, const report::ResultsFiles& files,
                   const std::string& error) {
  if (report.points.empty()) return;
  try {
    fill_what_compares_points(report.points, pool);
    report.completion->error = error;
    files.write(report);
  } catch (const std::exception&) {
    return;  // what was written after the last point stands, and the first error is the one to report
  }
  fmt::print(stderr, "haloheap: {} of {} points ran before this; their results: {}\n", report.points.size(),
             report.completion->planned, files.json().string());
}

void write_results(report::Report& report, const report::ResultsFiles& files, bool quiet) {
  report.completion->complete = true;
  files.write(report);
  if (quiet) return;
  fmt::print("{}\n", to_text(result_table(report)));
  for (const report::Table& table : tables_apart(report)) fmt::print("{}\n", to_text(table));
  fmt::print("{}", notes_text(report));
  fmt::print("results: {}\n", files.json().string());
}

bool all_verified(const report::Report& report) {
  for (const report::Point& point : report.points)
    if (point.verification && !point.verification->passed()) return false;
  return true;
}

/// What each problem of this build measures.
std::vector<report::ProblemQuantities> all_quantities() {
  std::vector<report::ProblemQuantities> all;
  for (const ProblemEntry& info : problems()) all.push_back({info.name, info.make()->quantities()});
  return all;
}

/// Of something that not every build or machine has.
template <class Info>
std::string list_line(const Info& info, int width = 11) {
  const std::string reason = info.unavailable_reason();
  return fmt::format("  {:<{}} {}{}\n", info.name, width, info.help,
                     reason.empty() ? "" : " (not here: " + reason + ")");
}

}  // namespace

std::string list_text() {
  std::string text = "problems\n";
  for (const ProblemEntry& info : problems()) text += fmt::format("  {:<12} {}\n", info.name, info.help);
  text += "transports\n";
  for (const comm::TransportInfo& info : comm::transports())
    text += fmt::format("  {:<12} {}\n", info.name, info.help);
  text += fmt::format("  {:<11} {}\n", "auto", "to each neighbour the one of these that reaches it best");
  text += "messages of transports that use MPI\n";
  for (const comm::MessageMode& mode : comm::message_modes()) text += list_line(mode);
  text += "memory\n";
  for (const memory::ResourceEntry& info : memory::memory_resources()) text += list_line(info, 25);
  text += "transfer modes\n";
  for (const transfer::ModeEntry& info : transfer::modes()) text += list_line(info, 16);
  text += "coherence policies\n";
  for (const coherence::PolicyEntry& policy : coherence::policies())
    text += fmt::format("  {:<11} {}\n", policy.name, policy.help);
  return text + "device\n  " + backend::device_description() + "\n";
}

bool run_offline(const deck::CommandLine& command, bool speaks) {
  std::string text;
  switch (command.action) {
    case Action::print_text:
      text = command.text;
      break;
    case Action::deck_reference:
      text = deck::write_reference(app_schema());
      break;
    case Action::results_schema:
      text = report::results_schema(all_quantities());
      break;
    case Action::results_reference:
      text = report::results_reference(all_quantities());
      break;
    case Action::print_deck:
      text = deck::load(app_schema(), command.deck, command.overrides).to_toml(deck::Comments::help);
      break;
    case Action::validate: {
      const deck::Sweep sweep = deck::load(app_schema(), command.deck, command.overrides);
      require_used_keys(sweep);
      text = fmt::format("{} is a valid deck of {} point{}\n", command.deck, sweep.size(),
                         sweep.size() == 1 ? "" : "s");
      break;
    }
    default:
      return false;
  }
  if (speaks) fmt::print("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return true;
}

int run_deck(const deck::CommandLine& command, const comm::Communicator& communicator,
             const std::string& command_line) {
  const bool first = communicator.rank() == 0;
  if (command.action == Action::list) {
    if (first) fmt::print("{}", list_text());
    return 0;
  }
  if (command.action == Action::advise) return advise::run(command, app_schema(), communicator);
  ProblemPool pool;
  std::optional<deck::Sweep> loaded;
  agree(communicator, [&] {
    loaded = deck::load(app_schema(), command.deck, command.overrides);
    require_used_keys(*loaded);
    const std::string text = plan(*loaded, pool, communicator.size());
    if (command.action == Action::dry_run && first) fmt::print("{}", text);
  });
  if (command.action == Action::dry_run) return 0;

  const deck::Sweep& sweep = *loaded;
  const Deck deck = sweep.point(0);
  const std::filesystem::path folder = deck.get<std::string>("output.folder");
  agree(communicator, [&] {
    if (first) report::prepare_output_folder(folder);
  });
  report::Report report{
      provenance(communicator, command_line), {}, report::Completion{.planned = sweep.size()}};
  fill_seeds(report, deck, pool);
  report::Progress progress = make_progress(deck, command, first);
  report::ResultsFiles files(folder);
  try {
    run_points(sweep, pool, communicator, progress, report, files);
  } catch (const std::exception& error) {
    progress.finish();
    if (first) keep_finished(report, pool, files, error.what());
    throw;
  }
  progress.finish();
  fill_gpu_awareness(report);
  fill_what_compares_points(report.points, pool);
  agree(communicator, [&] {
    if (first) write_results(report, files, command.quiet);
  });
  if (all_verified(report)) return 0;
  if (first)
    fmt::print(stderr, "haloheap: a result is not the reference's; see the column of verification\n");
  return static_cast<int>(ErrorKind::verification);
}

}  // namespace haloheap

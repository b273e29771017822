// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/findings.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/deck/toml_value.hpp>
#include <haloheap/miniapp/deck/words.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace haloheap::deck {
namespace {

using Axes = std::map<std::string, std::vector<Setting>>;

/// Far above any deck that was written on purpose; keeps a wrong path (a field, /dev/zero) from filling the
/// memory.
constexpr std::size_t max_bytes = std::size_t{8} << 20;

[[noreturn]] void throw_unreadable(const std::string& path, const std::string& cause) {
  throw UsageError(fmt::format("{}: cannot read the deck: {}", path, cause), "nothing was run",
                   "give the path of a TOML file first: haloheap DECK [key=value ...]");
}

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw_unreadable(path, "it is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw_unreadable(path, errno != 0 ? std::strerror(errno) : "it does not open");
  std::string text(max_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw_unreadable(path, "reading failed");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > max_bytes)
    throw_unreadable(path, fmt::format("it is larger than {} MiB", max_bytes >> 20));
  return text;
}

/// Reads the tables of a deck into axes.
class TableReader {
 public:
  TableReader(const Schema& schema, const std::string& path, Findings& findings, Axes& axes)
      : schema_(schema), path_(path), findings_(findings), axes_(axes) {}

  void read(const toml::table& document) {
    for (const auto& [name, node] : document) {
      const Origin place = origin_of(name.source(), path_);
      const std::string word(name.str());
      if (const Section* section = schema_.find_section(word); section != nullptr && !word.empty()) {
        read_section(*section, node, place);
      } else if (schema_.find(word) == nullptr && (node.is_table() || node.is_array_of_tables())) {
        findings_.add(
            place, fmt::format("[{}]", word),
            fmt::format("unknown section (nearest valid section: [{}])", schema_.nearest_section(word)));
      } else {
        read_key(word, node, place);
      }
    }
  }

 private:
  void read_section(const Section& section, const toml::node& node, const Origin& place) {
    if (!node.is_table()) {
      findings_.add(
          place, section.name(),
          fmt::format("this is a section, not a key (write [{}] once, and its keys below)", section.name()));
      return;
    }
    for (const auto& [name, value] : *node.as_table()) {
      read_key(fmt::format("{}.{}", section.name(), name.str()), value, origin_of(name.source(), path_));
    }
  }

  void read_key(const std::string& name, const toml::node& node, const Origin& place) {
    const Key* key = name.empty() ? nullptr : schema_.find(name);
    if (key == nullptr) {
      findings_.add(place, name,
                    fmt::format("unknown key (nearest valid key: {})", schema_.nearest_key(name)));
      return;
    }
    axes_[name] = read_values(*key, node, origin_of(node.source(), path_), findings_);
  }

  const Schema& schema_;
  const std::string& path_;
  Findings& findings_;
  Axes& axes_;
};

/// Where a deck has one table [run], a list of decks has [[run]] for each; scripts/run reads it.
const toml::node* list_of_decks(const toml::table& document) {
  const toml::node* const runs = document.get("run");
  return runs != nullptr && runs->is_array_of_tables() ? runs : nullptr;
}

void read_deck(const Schema& schema, const std::string& text, const std::string& path, Findings& findings,
               Axes& axes) {
  try {
    const toml::table document = toml::parse(text, path);
    if (const toml::node* const runs = list_of_decks(document)) {
      findings.add(origin_of(runs->source(), path), "[[run]]",
                   "this is a list of decks, which scripts/run runs (a deck has one section [run])");
    } else {
      TableReader(schema, path, findings, axes).read(document);
    }
  } catch (const toml::parse_error& error) {
    findings.add(origin_of(error.source(), path), "", fmt::format("not valid TOML: {}", error.description()));
  }
}

/// Reads the `key=value` arguments; each may name a key once.
void read_overrides(const Schema& schema, const std::vector<std::string>& overrides, Findings& findings,
                    Axes& axes) {
  const Origin place{"command line", 0, 0};
  std::map<std::string, std::string> seen;
  for (const std::string& override_text : overrides) {
    const std::size_t equals = override_text.find('=');
    const std::string name = trim(override_text.substr(0, equals));
    if (equals == std::string::npos || name.empty()) {
      findings.add(place, "", fmt::format("\"{}\" is not of the form key=value", override_text));
      continue;
    }
    const std::string text = trim(override_text.substr(equals + 1));
    const Key* key = schema.find(name);
    if (key == nullptr) {
      findings.add(place, name, fmt::format("unknown key (nearest valid key: {})", schema.nearest_key(name)));
      continue;
    }
    if (const auto [first, is_new] = seen.emplace(name, text); !is_new) {
      findings.add(place, name, fmt::format("given twice, as \"{}\" and as \"{}\"", first->second, text));
      continue;
    }
    const toml::array parsed = parse_bare(*key, text);
    if (parsed.empty()) {
      findings.add(place, name, fmt::format("\"{}\" cannot be read as {}", text, in_words(key->type())));
      continue;
    }
    axes[name] = read_values(*key, parsed[0], place, findings);
  }
}

}  // namespace

Sweep load_text(Schema schema, const std::string& text, const std::string& path,
                const std::vector<std::string>& overrides) {
  const auto shared = std::make_shared<const Schema>(std::move(schema));
  Findings findings;
  Axes axes;
  read_deck(*shared, text, path, findings, axes);
  read_overrides(*shared, overrides, findings, axes);
  findings.raise();
  return Sweep(shared, path, std::move(axes));
}

Sweep load(Schema schema, const std::string& path, const std::vector<std::string>& overrides) {
  return load_text(std::move(schema), read_file(path), path, overrides);
}

}  // namespace haloheap::deck

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_APP_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_APP_HPP

#include <haloheap/miniapp/problems/containers/container_point.hpp>
#include <haloheap/miniapp/problems/containers/lu_check.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

namespace haloheap {

struct LuSettings {
  coherence::ElementIndex size = 1;
  coherence::ElementIndex block = 1;
  bool pivot = false;

  LuMatrix matrix() const { return {size, !pivot}; }
};

struct LuResult {
  double gflops = 0;
  double residual = 0;  ///< LuCheck's
};

const report::Quantities<LuResult>& lu_quantities();

/// What the methods share: the matrix, and what its factors have to be.
template <class T>
class LuApp : public ContainerApp {
 public:
  explicit LuApp(const LuSettings& settings)
      : settings_(settings), rows_(static_cast<std::size_t>(settings.size)) {
    std::iota(rows_.begin(), rows_.end(), coherence::ElementIndex{0});
  }

  report::Verification check() override {
    const LuCheck result = check_lu(settings_.matrix(), factors(), rows_);
    residual_ = result.residual;
    return report::verification_of(result.differs);
  }

  void measure(const report::Spread& wall, report::Point& point) const override {
    const auto n = static_cast<double>(size());
    point.measure(lu_quantities(), {2.0 / 3.0 * n * n * n / (1e9 * wall.median), residual_});
  }

  report::Work work() const override {
    return {"", {size(), size()}, steps(), std::is_same_v<T, float> ? "float" : "double", 1};
  }

 protected:
  virtual const T* factors() const = 0;
  virtual coherence::ElementIndex steps() const = 0;

  coherence::ElementIndex size() const { return settings_.size; }
  std::size_t matrix_bytes() const { return static_cast<std::size_t>(size() * size()) * sizeof(T); }
  void fill(T* elements) const {
    const LuMatrix matrix = settings_.matrix();
    for (coherence::ElementIndex row = 0; row < size(); ++row)
      for (coherence::ElementIndex column = 0; column < size(); ++column)
        elements[row * size() + column] = static_cast<T>(matrix(row, column));
  }

  LuSettings settings_;
  std::vector<coherence::ElementIndex>
      rows_;  ///< P: the row of the matrix that each row of the factors is of

 private:
  double residual_ = 0;
};

/// The way of [Dastgeer2016]. One call for each column k takes a multiple of row k from all rows below it: it
/// reads all of one vector, and writes all of the other, so that every device gets the whole matrix before
/// every call.
template <class T>
std::unique_ptr<ContainerApp> make_lu_whole(const LuSettings& settings);

/// On sub-matrices. Each device has some rows, next to each other. In each step the one that has the next
/// rows finishes them, and all that have rows below read the rest of them, right of the columns that are
/// done: of row k that is n - k elements for each device that comes after.
template <class T>
std::unique_ptr<ContainerApp> make_lu_blocked(const LuSettings& settings);

}  // namespace haloheap

#endif

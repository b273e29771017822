// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What users get wrong when they write a rule or a measure. Not part of any program: step_mistakes_test.py
// holds what the compiler says of each.
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/comm/halo/halo.hpp>

namespace haloheap {

#define HALOHEAP_TAKES_CELL(...) \
  template <class Cell>          \
  KOKKOS_FUNCTION auto operator()(const Cell& cell) __VA_ARGS__

struct NamesNoFields {
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

struct SaysNoRadius {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

struct IsNotConst {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL() { return cell(0); }
};

struct KernelIsNotConst {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  void operator()(const Kokkos::DefaultExecutionSpace&, const stencil::FieldAccess<const float>&,
                  const stencil::FieldAccess<float>&, const grid::Box&) {}
};

struct KernelDoesNotTakeTheStep {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr bool uses_step = true;
  void operator()(const Kokkos::DefaultExecutionSpace&, const stencil::FieldAccess<const float>&,
                  const stencil::FieldAccess<float>&, const grid::Box&) const {}
};

struct GivesOneOfTwo {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

struct NamesOneOfTwo {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr std::string_view names[2] = {"u"};
  HALOHEAP_TAKES_CELL(const) { return stencil::values(cell(0), cell(1)); }
};

struct NamesThreeOfTwo : GivesOneOfTwo {
  static constexpr std::string_view names[3] = {"u", "v", "w"};
  HALOHEAP_TAKES_CELL(const) { return stencil::values(cell(0), cell(1)); }
};

struct HasAView {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  Kokkos::View<float*> table;
  HALOHEAP_TAKES_CELL(const) { return cell(0) + table(0); }
};

struct HasConstants {
  using Fields = stencil::Fields<float>;
  using Constants = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return cell(0) + cell.constant(0); }
};

struct AsksForTheStep {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return cell(0) + static_cast<float>(cell.step()); }
};

struct AsksForTheStage {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return cell.stage() == 0 ? cell(0) : cell(0, 1, 0); }
};

// What it returns is known before what it calls is looked at.
struct AsksForConstants {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  template <class Cell>
  KOKKOS_FUNCTION float operator()(const Cell& cell) const {
    return cell(0) + static_cast<float>(cell.constant(0));
  }
};

struct AsksForItsPlace {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr bool uses_index = false;
  HALOHEAP_TAKES_CELL(const) { return cell(0) + static_cast<float>(cell.index(0)); }
};

struct RoundsUnseen {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return 0.5 * cell(0); }
};

struct MixesFloatAndInteger {
  using Fields = stencil::Fields<float, std::int32_t>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return stencil::values(cell(0), cell(1)); }
};

struct KernelOfSeveralTypes {
  using Fields = stencil::Fields<float, double>;
  static constexpr int dims = 2, radius = 1;
  void operator()(const Kokkos::DefaultExecutionSpace&, const stencil::FieldAccess<const double>&,
                  const stencil::FieldAccess<double>&, const grid::Box&) const {}
};

struct Fine {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

// Parts of a step.
template <class T, int Dims, int Count = 1>
struct PartOf {
  using Fields = stencil::FieldsOf<T, Count>;
  static constexpr int dims = Dims, radius = 1;
  HALOHEAP_TAKES_CELL(const) {
    stencil::Values<T, Count> result;
    for (int field = 0; field < Count; ++field) result.value[field] = cell(field);
    return result;
  }
};
struct PartWithConstants : PartOf<float, 2> {
  using Constants = stencil::Fields<float>;
};
struct PartOfParts : PartOf<float, 2> {
  static constexpr int stages = 2;
};

struct MeasuresNoDims {
  using Fields = stencil::Fields<float>;
  using Measures = stencil::Measures<stencil::Max>;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

struct MeasuresNothing {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

struct MeasureIsNotConst {
  using Fields = stencil::Fields<float>;
  using Measures = stencil::Measures<stencil::Max>;
  static constexpr int dims = 2;
  HALOHEAP_TAKES_CELL() { return cell(0); }
};

struct MeasuresOneOfTwo {
  using Fields = stencil::Fields<float>;
  using Measures = stencil::Measures<stencil::Max, stencil::Min>;
  static constexpr int dims = 2;
  HALOHEAP_TAKES_CELL(const) { return stencil::measured(cell(0)); }
};

struct SumsWithoutBound {
  using Fields = stencil::Fields<float>;
  using Measures = stencil::Measures<stencil::Max, stencil::Sum>;
  static constexpr int dims = 2;
  HALOHEAP_TAKES_CELL(const) { return stencil::measured(cell(0), cell(0)); }
};

struct MeasureHasAView {
  using Fields = stencil::Fields<float>;
  using Measures = stencil::Measures<stencil::Max>;
  static constexpr int dims = 2;
  Kokkos::View<float*> table;
  HALOHEAP_TAKES_CELL(const) { return cell(0) + table(0); }
};

struct MeasuresDoubles {
  using Fields = stencil::Fields<double>;
  using Measures = stencil::Measures<stencil::Max>;
  static constexpr int dims = 2;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

void sizes(const comm::Grid& grid) {
  comm::layout_of<NamesNoFields>(grid, 1);
  comm::layout_of<SaysNoRadius>(grid, 1);
}

void runs(const comm::Communicator& communicator, const comm::Grid& grid) {
  const Kokkos::View<float*> now("now", 1), next("next", 1);
  const auto run = [&](const auto& rule, const auto& field) {
    comm::DeepHalo(communicator, grid, rule, {}, {.depth = 2}, field, next);
  };
  run(IsNotConst{}, now);
  run(KernelIsNotConst{}, now);
  run(KernelDoesNotTakeTheStep{}, now);
  run(GivesOneOfTwo{}, now);
  run(NamesOneOfTwo{}, now);
  run(NamesThreeOfTwo{}, now);
  run(HasAView{}, now);
  run(HasConstants{}, now);
  run(Fine{}, Kokkos::View<float**>("rows", 1, 1));
  run(AsksForTheStep{}, now);
  run(AsksForTheStage{}, now);
  run(AsksForConstants{}, now);
  run(AsksForItsPlace{}, now);
  run(RoundsUnseen{}, now);

  const Kokkos::View<std::byte*> bytes("bytes", 1);
  comm::DeepHalo(communicator, grid, MixesFloatAndInteger{}, {}, {.depth = 2}, bytes, bytes);
  comm::DeepHalo(communicator, grid, KernelOfSeveralTypes{}, {}, {.depth = 2}, bytes, bytes);

  const PartOf<float, 2> part;
  run(stencil::Stages(part, PartOf<double, 2>{}), now);
  run(stencil::Stages(part, PartOf<float, 2, 2>{}), now);
  run(stencil::Stages(part, PartOf<float, 3>{}), now);
  run(stencil::Stages(part, PartWithConstants{}), now);
  run(stencil::Stages(part, PartOfParts{}), now);
}

struct HasAPointer {
  HasAPointer(const HasAPointer&) {}
};

struct Counts {
  using Fields = stencil::Fields<int>;
  static constexpr int dims = 2, radius = 1;
  HALOHEAP_TAKES_CELL(const) { return cell(0); }
};

static_assert(stencil::field_number<Counts>("u") == 0);

void halos(const comm::Communicator& communicator, const comm::Grid& grid) {
  comm::Halo(communicator, grid, {Kokkos::View<float******>("six", 1, 1, 1, 1, 1, 1)});
  comm::Halo(communicator, grid, {Kokkos::View<const float**>(Kokkos::View<float**>("const", 1, 1))});
  comm::Halo(communicator, grid, {Kokkos::View<HasAPointer**, Kokkos::MemoryUnmanaged>(nullptr, 1, 1)});
}

void measures(comm::DeepHalo<float>& steps) {
  steps.measure(MeasuresNoDims{});
  steps.measure(MeasuresNothing{});
  steps.measure_each(2, MeasureIsNotConst{});
  steps.measure(MeasuresOneOfTwo{});
  steps.measure_each(2, SumsWithoutBound{});
  steps.measure(MeasureHasAView{});
  steps.measure(MeasuresDoubles{});
  stencil::measuring<MeasuresDoubles>(Fine{});
  stencil::measuring<MeasuresNoDims>(Fine{});
  stencil::measuring<stencil::Residual>(Counts{});
}

}  // namespace haloheap

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_RULES_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_RULES_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/stencil/outside.hpp>
#include <haloheap/core/stencil/rule.hpp>
#include <haloheap/core/stencil/sources.hpp>
#include <haloheap/core/stencil/stages.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// Update rules as users write them, and others with numbers drawn at random, to hold the engine against.
namespace haloheap::testing {

/// What diffuses, with as many steps a pass as an update rule can have.
struct FivePoints {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FUNCTION float operator()(const Cell& cell) const {
    return cell(0) + 0.2F * (cell(0, -1) + cell(0, 1) + cell(0, 0, -1) + cell(0, 0, 1) - 4.0F * cell(0));
  }
};

/// Two species that react and diffuse.
struct GrayScott {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false;
  static constexpr int max_fused_steps = 5;
  enum { u, v };
  float du = 0.16F, dv = 0.08F, feed = 0.035F, kill = 0.065F;

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    const float uvv = 0.25F * cell(u) * cell(v) * cell(v);  // no start of -1 to 1 grows without end
    return stencil::values(cell(u) + (du * laplacian(cell, u) - uvv + feed * (1.0F - cell(u))),
                           cell(v) + (dv * laplacian(cell, v) + uvv - (feed + kill) * cell(v)));
  }

 private:
  template <class Cell>
  KOKKOS_FUNCTION static float laplacian(const Cell& cell, int field) {
    return cell(field, -1, 0) + cell(field, 1, 0) + cell(field, 0, -1) + cell(field, 0, 1) -
           4.0F * cell(field);
  }
};

/// The wave equation of second order in time and fourth in space, with a source at one cell; what is outside
/// depends on place and time.
struct Wave {
  using Fields = stencil::Fields<double, double>;
  static constexpr int dims = 2, radius = 2;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;
  static constexpr bool uses_step = true;
  enum { now, before };
  double number = 0.2;
  grid::Triple source = {3, 2, 0};

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    const bool here = cell.index(0) == source.x && cell.index(1) == source.y;
    const double push = here ? 1.0 / static_cast<double>(1 + cell.step()) : 0.0;
    return stencil::values(
        2.0 * cell(now) - cell(before) + number * (along(cell, 1, 0) + along(cell, 0, 1)) + push, cell(now));
  }

  KOKKOS_FUNCTION double outside(int field, const stencil::Ghost<double>& ghost) const {
    const auto place =
        static_cast<double>(ghost.index.x + 2 * ghost.index.y + 3 * ghost.dim + ghost.distance);
    return (ghost.high ? -0.5 : 0.25) * ghost.mirrored +
           place / static_cast<double>(64 + ghost.step + (field == now ? 0 : 1));
  }

 private:
  template <class Cell>
  KOKKOS_FUNCTION static double along(const Cell& cell, int x, int y) {
    return (-cell(now, -2 * x, -2 * y) + 16.0 * cell(now, -x, -y) - 30.0 * cell(now) +
            16.0 * cell(now, x, y) - cell(now, 2 * x, 2 * y)) /
           12.0;
  }
};

/// What comes in at a point and in a region spreads.
template <class T, int Dims>
struct Fed {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = 1, max_fused_steps = 3;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;
  static constexpr bool uses_step = true;
  stencil::PointSource<T, Dims> well;
  stencil::RegionSource<T, Dims> field;

  template <class Cell>
  KOKKOS_FUNCTION T operator()(const Cell& cell) const {
    T around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    if constexpr (Dims == 3) around += cell(0, 0, 0, -1) + cell(0, 0, 0, 1);
    return cell(0) + (around - T{2 * Dims} * cell(0)) / 8 + well(cell) + field(cell);
  }
};

/// A rule in two parts. The first keeps more than one number, of both fields.
template <class T, int Dims, int Radius>
struct InParts {
  using Fields = stencil::Fields<T, T>;
  static constexpr int dims = Dims, radius = Radius, max_fused_steps = 3;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false;
  struct Begun {
    T sum, product;
  };

  template <class Below>
  KOKKOS_FUNCTION Begun begin(const Below& below) const {
    return {below(0) - below(1) / 4, below(0) * below(1)};
  }
  template <class Cell>
  KOKKOS_FUNCTION auto finish(const Cell& cell, const Begun& begun) const {
    const T above = Dims == 2 ? cell(0, 0, Radius) : cell(0, 0, 0, Radius),
            beside = cell(0, -1, 0) + 2 * cell(1, Radius, 0) - cell(1, 0, -1);
    return stencil::values(cell(0) / 4 + (begun.sum + above + beside) / 8,
                           (cell(1) + begun.product) / 4 - above / 16);
  }
};

/// A rule in rows. The sum keeps the cell's own value beside what is added up, each term with a factor that
/// says where it is; what is left asks for place, step and constant.
template <class T, int Dims, int Radius>
struct RowByRow {
  using Fields = stencil::Fields<T>;
  using Constants = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = Radius, max_fused_steps = 3;
  static constexpr bool uses_step = true;
  struct Sum {
    T terms{}, own{};
  };

  template <class Row>
  KOKKOS_FUNCTION Sum add(const Row& row, int dy, int dz, Sum sum) const {
    HALOHEAP_UNROLL
    for (int dx = -Radius; dx <= Radius; ++dx)
      sum.terms += static_cast<T>(1 + dx + 3 * dy - 5 * dz + dx * dy) * row(0, dx) / 128;
    if (dy == 0 && dz == 0) sum.own = row(0);
    return sum;
  }
  template <class Cell>
  KOKKOS_FUNCTION T finish(const Cell& cell, const Sum& sum) const {
    const T away =
        static_cast<T>((cell.index(0) + 2 * cell.index(1) + 3 * cell.index(Dims - 1)) % 4 + cell.step() % 3);
    return sum.own / 4 + sum.terms / (Dims == 3 ? 4 : 1) + cell.constant(0) / 8 + away / 32;
  }
};

/// The same rule with sides that are mirrors or have fixed values.
template <class Rule>
struct WithPlainSides : Rule {
  static constexpr bool plain_sides = true;
};

/// Whether tests have every kind of drawn rule: each is a set of kernels, for which a device's compiler takes
/// minutes.
#ifdef HALOHEAP_TEST_ALL_RULES
constexpr bool every_kind_of_rule = true;
#else
constexpr bool every_kind_of_rule = backend::kernels_on_host;
#endif

/// The same rule with fewer kernels, where these are compiled once more.
template <class Rule, int Steps>
struct WithSteps : Rule {
  static constexpr int max_fused_steps = Steps;

  explicit WithSteps(const Rule& rule) : Rule(rule) {}
};

/// Whether the new values are sums of old ones with factors and nothing else.
enum class Drawn { linear, product };

/// Terms of all neighbours and fields, no two with the same factor.
template <class T, int Dims, int Radius, int FieldCount, stencil::StencilShape Shape,
          Drawn Kind = Drawn::product>
struct DrawnRule {
  using Fields = stencil::FieldsOf<T, FieldCount>;
  static constexpr int dims = Dims, radius = Radius;
  static constexpr int max_fused_steps = backend::kernels_on_host ? 8 : 3;  // each is a kernel on a device
  static constexpr stencil::StencilShape shape = Shape;
  static constexpr bool star = Shape == stencil::StencilShape::star;
  static constexpr int side = 2 * Radius + 1, deep = Dims == 3 ? Radius : 0;
  static constexpr int count = star ? 1 + 2 * Radius * Dims : side * side * (2 * deep + 1);

  T factor[FieldCount][count];

  explicit DrawnRule(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(0.05, 0.95);
    for (auto& of_field : factor)
      for (T& value : of_field) value = static_cast<T>((random() % 2 == 0 ? 1 : -1) * share(random) / count);
  }

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    stencil::Values<T, FieldCount> result;
    HALOHEAP_UNROLL
    for (int field = 0; field < FieldCount; ++field) {
      if constexpr (star)
        result.value[field] = along_axes(cell, field);
      else
        result.value[field] = all_around(cell, field);
      if constexpr (Kind == Drawn::product) {
        const T own = cell(field), other = cell((field + 1) % FieldCount);
        result.value[field] += own * other / (T{8} + own * own);
      }
    }
    return result;
  }

 private:
  template <class Cell>
  KOKKOS_FUNCTION T along_axes(const Cell& cell, int field) const {
    T sum = factor[field][0] * cell(field);
    HALOHEAP_UNROLL
    for (int dim = 0; dim < Dims; ++dim) {
      HALOHEAP_UNROLL
      for (int away = -Radius; away <= Radius; ++away) {
        if (away == 0) continue;
        const int number = 1 + 2 * Radius * dim + away + Radius - (away > 0 ? 1 : 0);
        const int dx = dim == 0 ? away : 0, dy = dim == 1 ? away : 0, dz = dim == 2 ? away : 0;
        sum += factor[field][number] * cell((field + number) % FieldCount, dx, dy, dz);
      }
    }
    return sum;
  }

  template <class Cell>
  KOKKOS_FUNCTION T all_around(const Cell& cell, int field) const {
    T sum{};
    HALOHEAP_UNROLL
    for (int dz = -deep; dz <= deep; ++dz) {
      HALOHEAP_UNROLL
      for (int dy = -Radius; dy <= Radius; ++dy) {
        HALOHEAP_UNROLL
        for (int dx = -Radius; dx <= Radius; ++dx) {
          const int number = ((dz + deep) * side + dy + Radius) * side + dx + Radius;
          sum += factor[field][number] * cell((field + number) % FieldCount, dx, dy, dz);
        }
      }
    }
    return sum;
  }
};

/// The same beside constants, of which one is asked for at a neighbour, too.
template <class Base, class Constant, int ConstantCount>
struct DrawnWithConstants : Base {
  using Constants = stencil::FieldsOf<Constant, ConstantCount>;
  using Base::Base;

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    auto result = Base::operator()(cell);
    HALOHEAP_UNROLL
    for (int field = 0; field < Base::Fields::count; ++field) {
      using T = typename Base::Fields::type;
      const auto here = static_cast<T>(cell.constant(field % ConstantCount));
      const auto there = static_cast<T>(cell.constant(ConstantCount - 1, 0, -Base::radius));
      result.value[field] += here * cell(field, 0, Base::radius) / T{8} - there / T{16};
    }
    return result;
  }
};

/// The same of fields that are stored as several types, none of which the new values leave.
template <class Base, class... Stored>
struct DrawnMixture : Base {
  using Fields = stencil::Fields<Stored...>;
  using Base::Base;
  static_assert(Base::Fields::count == Fields::count);

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    using T = typename Base::Fields::type;
    const T most{100};
    auto result = Base::operator()(cell);
    HALOHEAP_UNROLL
    for (int field = 0; field < Fields::count; ++field) {
      T& value = result.value[field];
      value = value > most ? most : value < -most ? -most : value;
    }
    return result;
  }
};

/// The same that depends on place and step, is fed in a box of cells, and says itself what is outside.
template <class Base>
struct DrawnDriven : Base {
  using T = typename Base::Fields::type;
  static constexpr bool uses_step = true;
  static constexpr int count = Base::Fields::count;

  struct Terms {
    T place[3], step, fed, mirrored, outside;
  };
  Terms terms[count];
  stencil::Region<Base::dims> fed;

  explicit DrawnDriven(unsigned seed) : Base(seed) {
    std::mt19937 random(~seed);
    std::uniform_real_distribution<double> share(-0.9, 0.9);
    for (Terms& of_field : terms)
      for (T* term : {&of_field.place[0], &of_field.place[1], &of_field.place[2], &of_field.step,
                      &of_field.fed, &of_field.mirrored, &of_field.outside})
        *term = static_cast<T>(share(random));
    for (int dim = 0; dim < Base::dims; ++dim) {
      fed.low[dim] = static_cast<int>(random() % 8);
      fed.high[dim] = fed.low[dim] + 1 + static_cast<int>(random() % 8);
    }
  }

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    auto result = stencil::detail::as_values<T, count>(Base::operator()(cell));
    const bool here = fed.contains(cell);
    HALOHEAP_UNROLL
    for (int field = 0; field < count; ++field) {
      const Terms& term = terms[field];
      T change = here ? term.fed : T{0};
      HALOHEAP_UNROLL
      for (int dim = 0; dim < Base::dims; ++dim)
        change += term.place[dim] * static_cast<T>(cell.index(dim)) / T{512};
      result.value[field] += change + term.step / static_cast<T>(2 + cell.step());
    }
    return result;
  }
  KOKKOS_FUNCTION T outside(int field, const stencil::Ghost<T>& ghost) const {
    const Terms& term = terms[field];
    const grid::Index place = ghost.index.x + 3 * ghost.index.y + 7 * ghost.index.z,
                      which = 2 * ghost.dim + (ghost.high ? 1 : 0);
    return term.mirrored * ghost.mirrored + term.outside * static_cast<T>(place + 11 * which) / T{512} +
           static_cast<T>(1 + ghost.distance) / static_cast<T>(4 + ghost.step + 5 * ghost.stage);
  }
};

/// The same, where what is outside depends on all fields and constants.
template <class Base>
struct DrawnCoupled : DrawnDriven<Base> {
  using typename DrawnDriven<Base>::T;
  using Constants = typename stencil::detail::ConstantsOfRule<Base>::type;
  using DrawnDriven<Base>::DrawnDriven, DrawnDriven<Base>::terms;

  KOKKOS_FUNCTION T outside(int field,
                            const stencil::GhostOf<typename Base::Fields, Constants>& ghost) const {
    T sum = DrawnDriven<Base>::outside(field, ghost);
    for (int other = 0; other < DrawnDriven<Base>::count; ++other)
      sum += terms[other].outside * ghost.fields[other] / static_cast<T>(3 + other);
    for (int number = 0; number < Constants::count; ++number)
      sum += terms[field].fed * static_cast<T>(ghost.constants[number]) / static_cast<T>(8 + number);
    return sum;
  }
};

/// A step of drawn stages.
template <class... Stage>
struct DrawnStages : stencil::Stages<Stage...> {
  explicit DrawnStages(unsigned seed)
      : stencil::Stages<Stage...>(Stage(seed + static_cast<unsigned>(sizeof(Stage)))...) {}
};

/// Diffusion whose coefficient depends on place, in the form that keeps the sum.
template <class T, class Coefficient, int Dims>
struct Layered {
  using Fields = stencil::Fields<T>;
  using Constants = stencil::Fields<Coefficient, Coefficient>;
  static constexpr int dims = Dims, radius = 1, max_fused_steps = 4;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false;
  enum { conductivity, source };

  template <class Cell>
  KOKKOS_FUNCTION T operator()(const Cell& cell) const {
    T sum = flux(cell, 1, 0, 0) + flux(cell, -1, 0, 0) + flux(cell, 0, 1, 0) + flux(cell, 0, -1, 0);
    if constexpr (Dims == 3) sum += flux(cell, 0, 0, 1) + flux(cell, 0, 0, -1);
    return cell(0) + sum + static_cast<T>(cell.constant(source)) / T{16};
  }

 private:
  template <class Cell>
  KOKKOS_FUNCTION static T flux(const Cell& cell, int x, int y, int z) {
    const Coefficient between = cell.constant(conductivity) + cell.constant(conductivity, x, y, z);
    return static_cast<T>(between) / T{8} * (cell(0, x, y, z) - cell(0));
  }
};

/// Two fields in 3D, of which one drives the other, with a source at one cell; what is outside depends on
/// place and time.
struct Driven {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 3, radius = 1;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;
  static constexpr bool uses_step = true;
  enum { u, v };
  grid::Triple source = {3, 2, 1};

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    const bool here = cell.index(0) == source.x && cell.index(1) == source.y && cell.index(2) == source.z;
    const float push = here ? 1.0F / static_cast<float>(1 + cell.step()) : 0.0F;
    return stencil::values(0.5F * cell(u) + 0.2F * cell(u, 0, 0, 1) - 0.1F * cell(v, 0, -1, 0) + push,
                           0.6F * cell(v) - 0.2F * cell(v, 0, 0, -1) + 0.1F * cell(u, 1, 0, 0) * cell(v, -1) +
                               0.05F * cell(u, 0, 1, 0));
  }

  KOKKOS_FUNCTION float outside(int field, const stencil::Ghost<float>& ghost) const {
    const auto place =
        static_cast<float>(ghost.index.x + 2 * ghost.index.y + 4 * ghost.index.z + 3 * ghost.dim);
    return (ghost.high ? -0.5F : 0.25F) * ghost.mirrored +
           place / static_cast<float>(64 + ghost.step + (field == u ? 0 : 1));
  }
};

/// A method of Runge and Kutta with three stages: the first field is what is asked for, the second its value
/// at the beginning of the step.
struct ThreeStages {
  using Fields = stencil::Fields<double, double>;
  static constexpr int dims = 2, radius = 1, stages = 3, max_fused_steps = 4;
  enum { u, begin };

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    const double old = cell.stage() == 0 ? cell(u) : cell(begin);
    const double share = cell.stage() == 0 ? 1.0 : cell.stage() == 1 ? 0.25 : 2.0 / 3.0;
    const double stepped = cell(u) + 0.1 * change(cell) + 0.001 * static_cast<double>(cell.step());
    return stencil::values((1.0 - share) * old + share * stepped, old);
  }
  KOKKOS_FUNCTION double outside(int field, const stencil::Ghost<double>& ghost) const {
    return ghost.mirrored + 0.01 * static_cast<double>(1 + field + 2 * ghost.stage + 6 * ghost.step);
  }

 private:
  template <class Cell>
  KOKKOS_FUNCTION static double change(const Cell& cell) {
    const double product = cell(u, 0, -1) * cell(u, 1, 1);
    return cell(u, -1, 0) + product / (8.0 + product * product) - 2.0 * cell(u);
  }
};

/// Averages along one dimension.
template <int Dim, int Radius>
struct Along {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = Radius, max_fused_steps = 4;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FUNCTION float operator()(const Cell& cell) const {
    constexpr int x = Dim == 0 ? Radius : 0, y = Dim == 1 ? Radius : 0;
    return 0.5F * cell(0) + 0.3F * cell(0, x, y) + 0.1F * cell(0, -x, -y) +
           0.001F * static_cast<float>(cell.index(Dim));
  }
};
/// One in x, and one in y.
struct SplitStep : stencil::Stages<Along<0, 1>, Along<1, 2>> {
  SplitStep() : Stages(Along<0, 1>{}, Along<1, 2>{}) {}
};

/// Conway's game of life.
struct Life {
  using Fields = stencil::Fields<std::int8_t>;
  static constexpr int dims = 2, radius = 1, max_fused_steps = 2;
  static constexpr bool uses_index = false;

  template <class Cell>
  KOKKOS_FUNCTION std::int8_t operator()(const Cell& cell) const {
    const int around = cell(0, -1, -1) + cell(0, 0, -1) + cell(0, 1, -1) + cell(0, -1, 0) + cell(0, 1, 0) +
                       cell(0, -1, 1) + cell(0, 0, 1) + cell(0, 1, 1);
    return around == 3 || (around == 2 && cell(0) == 1) ? 1 : 0;
  }
};

/// Fields of several types, each of which depends on the others. What is stored in fewer bits is rounded in
/// each step.
template <int Dims, stencil::StencilShape Shape>
struct Mixture {
  using Fields = stencil::Fields<float, std::int16_t, double>;
  static constexpr int dims = Dims, radius = 1, max_fused_steps = 4;
  static constexpr stencil::StencilShape shape = Shape;
  static constexpr bool uses_index = false;
  enum { heat, count, mean };

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    const double number = 0.5 * (cell(count, -1, 0) + cell(count, 0, 1)) + (cell(heat) > 0 ? 3.7 : -2.9);
    return stencil::values(0.25 * sum_around(cell, heat) / dims + 0.001 * cell(count),
                           number > 300    ? 300
                           : number < -300 ? -300
                                           : number,
                           0.5 * cell(mean) + 0.25 * cell(heat, 1, 0) / 3);
  }

 private:
  template <class Cell>
  KOKKOS_FUNCTION static double sum_around(const Cell& cell, int field) {
    double sum = cell(field, -1, 0) + cell(field, 1, 0) + cell(field, 0, -1) + cell(field, 0, 1);
    if (Shape == stencil::StencilShape::box) sum += cell(field, -1, 1) + cell(field, 1, -1);
    if (dims == 3) sum += cell(field, 0, 0, -1) + cell(field, 0, 0, 1);
    return sum;
  }
};

/// The same of few bits.
template <int Dims>
struct SmallMixture {
  using Fields = stencil::Fields<float, std::int8_t>;
  static constexpr int dims = Dims, radius = 2, max_fused_steps = 2;
  static constexpr stencil::StencilShape shape = stencil::StencilShape::star;
  enum { value, sign };

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    const float ahead = cell(value, 2, 0) - cell(value, 0, -2);
    return stencil::values(0.7F * cell(value) + 0.1F * cell(sign, 0, 1) * ahead,
                           cell(value, -1, 0) * cell(sign, 1, 0) + (ahead > 0 ? 1.6F : -1.2F));
  }
};

/// Sides of every kind, another one on each side and for each field; or none in some dimensions.
template <class Rule>
std::vector<stencil::SideRules> side_rules_for_tests() {
  using stencil::Outside;
  using Traits = stencil::RuleTraits<Rule>;
  std::vector<Outside> kinds{Outside::mirror(), Outside::value(0.375), Outside::outflow(),
                             Outside::mirror(-1)};
  if constexpr (stencil::detail::HasOutside<Rule>) kinds.push_back(Outside::rule());
  if constexpr (Traits::plain_sides)
    kinds = {Outside::mirror(), Outside::value(0.375), Outside::mirror(), Outside::value(-0.5),
             Outside::value(0.125)};
  std::vector<stencil::SideRules> all(1);
  if constexpr (stencil::detail::HasOutside<Rule>)
    all.push_back(stencil::SideRules::everywhere(Outside::rule(), Traits::dims));
  for (std::size_t first = 0; first < kinds.size(); ++first) {
    stencil::SideRules sides;
    std::size_t next = first;
    for (int dim = 0; dim < Traits::dims; ++dim)
      for (auto* side :
           {&sides.low[static_cast<std::size_t>(dim)], &sides.high[static_cast<std::size_t>(dim)]})
        for (int field = 0; field < Traits::fields; ++field) side->push_back(kinds[next++ % kinds.size()]);
    all.push_back(sides);
    const std::size_t open = first % static_cast<std::size_t>(Traits::dims);
    sides.low[open].clear();
    sides.high[open].clear();
    all.push_back(sides);
  }
  return all;
}

}  // namespace haloheap::testing

#endif

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/applications.hpp>

#include <utility>

namespace haloheap::coherence::test {

detail::ObjectId Application::add() const {
  const detail::ObjectId object = directory.add({1, elements, element_bytes, "vector", true});
  const int devices = whole_first ? directory.state().topology.devices() : 0;
  for (int number = 0; number < devices; ++number)
    directory.cancel(
        directory.reserve({object, range(0, elements), memory_of_device(number), Access::write}));
  return object;
}

void Application::use(detail::ObjectId object, const Rect& rect, Memory memory, Access access) const {
  directory.finish(directory.acquire({object, rect, memory, access}));
}

void Application::parts(detail::ObjectId object, Access access) const {
  const int devices = directory.state().topology.devices();
  const ElementIndex part = elements / devices;
  for (int number = 0; number < devices; ++number) {
    const ElementIndex end = number + 1 == devices ? elements : (number + 1) * part;
    use(object, range(number * part, end), memory_of_device(number), access);
  }
}

void Application::whole(detail::ObjectId object) const {
  for (int number = 0; number < directory.state().topology.devices(); ++number)
    use(object, range(0, elements), memory_of_device(number), Access::read);
}

void Application::on_host(detail::ObjectId object) const {
  use(object, range(0, elements), host, Access::read);
}

void Application::nbody(int calls) const {
  detail::ObjectId to = add(), from = add();
  parts(to, Access::write);
  parts(from, Access::write);
  for (int call = 0; call < calls; ++call) {
    whole(from);
    parts(to, Access::read_write);
    std::swap(from, to);
  }
  on_host(from);
}

void Application::lu(int calls) const {
  detail::ObjectId from = add(), to = add();
  const detail::ObjectId indices = add();
  parts(indices, Access::write);
  for (int call = 0; call < calls; ++call) {
    whole(from);
    parts(indices, Access::read);
    parts(to, Access::write);
    std::swap(from, to);
  }
  on_host(from);
}

void Application::sph(int steps) const {
  const detail::ObjectId fluid = add(), next = add();
  parts(fluid, Access::write);
  parts(fluid, Access::read);
  parts(next, Access::write);
  for (int step = 0; step < steps; ++step) {
    whole(fluid);
    parts(next, Access::read_write);
    whole(next);
    parts(fluid, Access::read_write);
    parts(fluid, Access::read_write);
  }
  on_host(fluid);
}

}  // namespace haloheap::coherence::test

// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_LATTICE_GHIA1982_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_LATTICE_GHIA1982_HPP

/// Steady flow in a square cavity with a moving lid, from a multigrid solution on 129 x 129 points
/// ([Ghia1982], Tables I and II).
namespace haloheap::ghia1982 {

constexpr double reynolds = 100;

/// A point of a centreline, in widths of the cavity, and the velocity across it, over that of the lid.
struct Point {
  double at, velocity;
};

/// Velocity in x on the line x = 1/2, by y from the resting wall to the lid.
constexpr Point along_y[] = {{0.0547, -0.03717}, {0.0625, -0.04192}, {0.0703, -0.04775}, {0.1016, -0.06434},
                             {0.1719, -0.10150}, {0.2813, -0.15662}, {0.4531, -0.21090}, {0.5000, -0.20581},
                             {0.6172, -0.13641}, {0.7344, 0.00332},  {0.8516, 0.23151},  {0.9531, 0.68717},
                             {0.9609, 0.73722},  {0.9688, 0.78871},  {0.9766, 0.84123}};

/// Velocity in y on the line y = 1/2, by x in the direction in which the lid moves.
constexpr Point along_x[] = {{0.0625, 0.09233},  {0.0703, 0.10091},  {0.0781, 0.10890},  {0.0938, 0.12317},
                             {0.1563, 0.16077},  {0.2266, 0.17507},  {0.2344, 0.17527},  {0.5000, 0.05454},
                             {0.8047, -0.24533}, {0.8594, -0.22445}, {0.9063, -0.16914}, {0.9453, -0.10313},
                             {0.9531, -0.08864}, {0.9609, -0.07391}, {0.9688, -0.05906}};

}  // namespace haloheap::ghia1982

#endif

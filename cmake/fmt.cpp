// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What fmt is made of, compiled once instead of in every file that formats a text. Packages of fmt bring its
// headers but not the file that does this, which is short: what is not a template, and the templates that its
// headers only declare.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
#if FMT_VERSION < 100000
template void vformat_to(buffer<char>&, string_view, basic_format_args<FMT_BUFFER_CONTEXT(char)>, locale_ref);
#elif FMT_VERSION < 120000
template void vformat_to(buffer<char>&, string_view, typename vformat_args<>::type, locale_ref);
#endif

}  // namespace detail
FMT_END_NAMESPACE

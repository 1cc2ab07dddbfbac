/* Python's numbers. What is expected was printed by CPython 3.11: int(), float(), repr(), and SGLang's human_readable_int(). */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "private.h"
#include "suites.h"

static const struct {
	const char *text, *value; /* NULL: ValueError */
} ints[] = {
	{ "8", "8" }, { "-1", "-1" }, { "+7", "7" }, { "007", "7" }, { "1_000", "1000" }, { " 12\t\n", "12" }, { "\xc2\xa0" "5", "5" },
	{ "5\xc2\x85", "5" }, { "\xd9\xa3", "3" }, { "5\xd9\xa5", "55" }, { "\xef\xbc\x95", "5" }, { "-0", "0" }, { "\v5\f", "5" },
	{ "", NULL }, { " ", NULL }, { "_5", NULL }, { "5_", NULL }, { "5__5", NULL }, { "+ 5", NULL }, { "- 5", NULL }, { "--5", NULL },
	{ "2.0", NULL }, { "1e3", NULL }, { "8k", NULL }, { "0x10", NULL }, { "\x1f" "5", NULL }, { "5 5", NULL }, { "\xff" "5", NULL },
	{ "\xc0\xb5", NULL }, { "5\xe2\x82", NULL }, { "inf", NULL },
	{ "9223372036854775807", "9223372036854775807" }, { "9223372036854775808", "9223372036854775807" },
	{ "-9223372036854775806", "-9223372036854775806" }, { "-9223372036854775808", "-9223372036854775806" },
	{ "99999999999999999999999999", "9223372036854775807" }, { "-99999999999999999999999999", "-9223372036854775806" },
};

START_TEST(whole_numbers_are_read_as_python_reads_them)
{
	for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
		int64_t value = 4711;
		bool good = pdcfg_read_int(ints[i].text, strlen(ints[i].text), &value);
		ck_assert_msg(good == (ints[i].value != NULL), "%s", ints[i].text);
		ck_assert_msg(value == (good ? strtoll(ints[i].value, NULL, 10) : 4711), "%s is %lld", ints[i].text, (long long)value);
	}
}
END_TEST

START_TEST(whole_numbers_saturate_clear_of_unknown_and_none)
{
	int64_t value;
	ck_assert(pdcfg_read_int("-9223372036854775807", 20, &value));
	ck_assert(value != UNKNOWN && value != NONE);
	ck_assert(pdcfg_read_int("-9223372036854775809999", 23, &value));
	ck_assert(value != UNKNOWN && value != NONE);
}
END_TEST

START_TEST(whole_numbers_have_at_most_4300_digits)
{
	char digits[4302];
	int64_t value;
	memset(digits, '0', sizeof digits);
	ck_assert(pdcfg_read_int(digits, 4300, &value));
	ck_assert(!pdcfg_read_int(digits, 4301, &value));
}
END_TEST

static const struct {
	const char *text, *repr; /* NULL: ValueError */
} floats[] = {
	{ "0.85", "0.85" }, { ".5", "0.5" }, { "5.", "5.0" }, { "1e3", "1000.0" }, { "1E+3", "1000.0" }, { "-2.5e-3", "-0.0025" },
	{ "1_0.5", "10.5" }, { "1e5_0", "1e+50" }, { " 1 ", "1.0" }, { "\xd9\xa5.\xd9\xa5", "5.5" }, { "inf", "inf" }, { "-Infinity", "-inf" },
	{ "+NaN", "nan" }, { "nan", "nan" }, { "1e400", "inf" }, { "-1e400", "-inf" }, { "1e-400", "0.0" }, { "-0", "-0.0" }, { "0.1", "0.1" },
	{ "0.30000000000000004", "0.30000000000000004" }, { "9007199254740993", "9007199254740992.0" }, { "1e16", "1e+16" },
	{ "9999999999999998", "9999999999999998.0" }, { "0.0001", "0.0001" }, { "0.00001", "1e-05" }, { "5e-324", "5e-324" },
	{ "2.4703282292062327e-324", "0.0" }, { "2.4703282292062328e-324", "5e-324" }, { "1.7976931348623157e308", "1.7976931348623157e+308" },
	{ "5.684341886080802e-14", "5.684341886080802e-14" }, { "123456789.123456789", "123456789.12345679" },
	{ "1e99999999999999999999", "inf" }, { "0e99999999999999999999", "0.0" }, { "1e-99999999999999999999", "0.0" },
	{ "", NULL }, { ".", NULL }, { "e5", NULL }, { "1e", NULL }, { "1e_5", NULL }, { "1_.5", NULL }, { "1._5", NULL }, { "_1", NULL }, { "1_", NULL },
	{ "0x10", NULL }, { "1,5", NULL }, { "85%", NULL }, { "1.5.", NULL }, { "i nf", NULL }, { "infi", NULL }, { "nan()", NULL }, { "1d5", NULL },
};

START_TEST(floats_are_read_and_printed_as_python_does)
{
	for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
		double d = 47.11;
		char text[40] = "";
		bool good = pdcfg_read_float(floats[i].text, strlen(floats[i].text), &d);
		ck_assert_msg(good == (floats[i].repr != NULL), "%s", floats[i].text);
		if (good) ck_assert_uint_eq(pdcfg_print_float(d, text), strlen(text));
		if (good) ck_assert_str_eq(text, floats[i].repr);
	}
}
END_TEST

START_TEST(a_digit_far_behind_decides_the_rounding)
{
	char text[2048] = "9007199254740993."; /* halfway between two doubles */
	double d;
	size_t n = strlen(text);
	memset(text + n, '0', 1500);
	ck_assert(pdcfg_read_float(text, n + 1500, &d));
	ck_assert(!(d > 9007199254740992.0));
	text[n + 1500] = '1';
	ck_assert(pdcfg_read_float(text, n + 1501, &d));
	ck_assert(!(d < 9007199254740994.0));
}
END_TEST

START_TEST(every_printed_float_reads_back)
{
	uint64_t bits = UINT64_C(0x123456789abcdef);
	for (unsigned i = 0; i < 20000; i++) {
		double d, back;
		char text[40];
		bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		memcpy(&d, &bits, sizeof d);
		if (isnan(d)) continue;
		ck_assert(pdcfg_read_float(text, pdcfg_print_float(d, text), &back));
		ck_assert_msg(!memcmp(&d, &back, sizeof d), "%s", text);
	}
}
END_TEST

static const struct {
	const char *text, *value; /* "bad" or "fraction" instead of a number */
} sizes[] = {
	{ "8k", "8000" }, { "1M", "1000000" }, { "2G", "2000000000" }, { "1T", "1000000000000" }, { "1Ki", "1024" }, { "3Mi", "3145728" },
	{ "1Gi", "1073741824" }, { "1Ti", "1099511627776" }, { "25.6k", "25600" }, { "1.0005k", "1000" }, { "0.0001k", "0" }, { " 8k\x1f", "8000" },
	{ "4096", "4096" }, { "-1", "-1" }, { "1_000", "1000" }, { "\xd9\xa8k", "8000" }, { "1.99999999999999999999999999999999999k", "2000" },
	{ "1.999999999999999999999999999k", "1999" }, { "99999999999999999999k", "9223372036854775807" }, { "9999999999Ti", "9223372036854775807" },
	{ "1.5Ki", "fraction" }, { "1.0Mi", "fraction" },
	{ "8K", "bad" }, { "1m", "bad" }, { "1KiB", "bad" }, { "1 k", "bad" }, { "-1k", "bad" }, { "1_0k", "bad" }, { ".5k", "bad" }, { "5.k", "bad" },
	{ "k", "bad" }, { "", "bad" }, { "1e3", "bad" }, { "2.5", "bad" },
};

START_TEST(sizes_are_read_as_sglang_reads_them)
{
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		int64_t value = 0;
		enum human_int got = pdcfg_read_human_int(sizes[i].text, strlen(sizes[i].text), &value);
		enum human_int want = !strcmp(sizes[i].value, "bad") ? HUMAN_BAD : !strcmp(sizes[i].value, "fraction") ? HUMAN_FRACTION : HUMAN_OK;
		ck_assert_msg(got == want, "%s", sizes[i].text);
		if (want == HUMAN_OK) ck_assert_msg(value == strtoll(sizes[i].value, NULL, 10), "%s is %lld", sizes[i].text, (long long)value);
	}
}
END_TEST

START_TEST(cells_of_doubles_are_in_their_order)
{
	static const double order[] = { -HUGE_VAL, -1.7976931348623157e308, -2, -1, -0.1, -5e-324, 0, 5e-324, 0.1, 1, 2, 1.7976931348623157e308, HUGE_VAL };
	enum { COUNT = sizeof order / sizeof *order };
	for (size_t i = 0; i < COUNT; i++) {
		int64_t cell = real_cell(order[i]);
		double back = cell_real(cell);
		ck_assert(!memcmp(&back, &order[i], sizeof back));
		ck_assert(cell != UNKNOWN && cell != NONE);
		if (i) ck_assert(cell > real_cell(order[i - 1]));
	}
	ck_assert(real_cell(-0.0) == 0);
	ck_assert(real_cell((double)NAN) > real_cell(HUGE_VAL));
	ck_assert(real_cell((double)-NAN) == real_cell((double)NAN));
	ck_assert(isnan(cell_real(real_cell((double)NAN))));
	ck_assert(isnan(cell_real(UNKNOWN)) && isnan(cell_real(NONE)) && isnan(cell_real(INT64_MAX)));
}
END_TEST

Suite *suite_number(void)
{
	Suite *s = suite_create("number");
	TCase *t = tcase_create("number");
	tcase_add_test(t, whole_numbers_are_read_as_python_reads_them);
	tcase_add_test(t, whole_numbers_saturate_clear_of_unknown_and_none);
	tcase_add_test(t, whole_numbers_have_at_most_4300_digits);
	tcase_add_test(t, floats_are_read_and_printed_as_python_does);
	tcase_add_test(t, a_digit_far_behind_decides_the_rounding);
	tcase_add_test(t, every_printed_float_reads_back);
	tcase_add_test(t, sizes_are_read_as_sglang_reads_them);
	tcase_add_test(t, cells_of_doubles_are_in_their_order);
	suite_add_tcase(s, t);
	return s;
}

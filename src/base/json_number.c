/* json_number.c — numbers and their decimal text, both ways exact: reading rounds correctly,
 * writing gives the fewest digits that read back. */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>

static const double exact_powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

enum { MAX_EXACT_POWER = 22 };
#define MAX_EXACT_INTEGER (UINT64_C(1) << 53)

/* --- reading --- */

struct decimal {
    uint64_t digits; /* all of them, unless is_long */
    int exponent;    /* of ten */
    bool is_negative;
    bool is_long; /* more digits than fit */
};

static struct decimal decimal_split(str text)
{
    struct decimal result = { 0 };
    size_t at = 0;
    bool is_fraction = false;

    if (text.ptr[at] == '-') {
        result.is_negative = true;
        at++;
    }
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '.') {
            is_fraction = true;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        if (result.digits > (UINT64_MAX - 9) / 10) {
            result.is_long = true;
            return result;
        }
        result.digits = result.digits * 10 + (uint64_t)(c - '0');
        result.exponent -= is_fraction;
    }
    if (at == text.len)
        return result;

    bool is_below = text.ptr[++at] == '-';
    if (text.ptr[at] == '-' || text.ptr[at] == '+')
        at++;
    int exponent = 0;
    for (; at < text.len && exponent < 100000; at++)
        exponent = exponent * 10 + (text.ptr[at] - '0');
    result.exponent += is_below ? -exponent : exponent;
    return result;
}

/* The C library rounds correctly; it wants a NUL behind the text, and the locale is never set. */
static bool parse_slowly(str text, double *out)
{
    CLEANUP(arena_release) struct arena scratch = { 0 };
    double number = strtod(arena_cstr(&scratch, text), NULL);

    if (isinf(number))
        return false;
    *out = number;
    return true;
}

bool json_parse_number(str text, double *out)
{
    struct decimal decimal = decimal_split(text);
    double number = (double)decimal.digits;

    if (decimal.is_long)
        return parse_slowly(text, out);
    /* One operation on two exact operands rounds once, so it is the nearest double. */
    if (decimal.exponent != 0 && decimal.digits != 0) {
        if (decimal.digits > MAX_EXACT_INTEGER || abs(decimal.exponent) > MAX_EXACT_POWER)
            return parse_slowly(text, out);
        if (decimal.exponent > 0)
            number *= exact_powers[decimal.exponent];
        else
            number /= exact_powers[-decimal.exponent];
    }
    *out = decimal.is_negative ? -number : number;
    return true;
}

/* --- large integers for the general case --- */

enum {
    LIMBS = 40
}; /* 1280 bits: the largest double times ten, and the smallest one's power of ten, fit */

struct big {
    uint32_t limbs[LIMBS]; /* least significant first */
    int len;
};

static struct big big_from(uint64_t number)
{
    struct big result = { .limbs = { (uint32_t)number, (uint32_t)(number >> 32) } };
    result.len = result.limbs[1] ? 2 : result.limbs[0] ? 1 : 0;
    return result;
}

static void big_multiply(struct big *big, uint32_t factor)
{
    uint64_t carry = 0;

    for (int i = 0; i < big->len; i++) {
        carry += (uint64_t)big->limbs[i] * factor;
        big->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        big->limbs[big->len++] = (uint32_t)carry;
}

static void big_multiply_power(struct big *big, int power_of_ten)
{
    for (; power_of_ten >= 9; power_of_ten -= 9)
        big_multiply(big, 1000000000);
    for (; power_of_ten > 0; power_of_ten--)
        big_multiply(big, 10);
}

static void big_shift(struct big *big, int bits)
{
    int words = bits / 32;

    if (big->len == 0)
        return;
    memmove(big->limbs + words, big->limbs, (size_t)big->len * sizeof(big->limbs[0]));
    memset(big->limbs, 0, (size_t)words * sizeof(big->limbs[0]));
    big->len += words;
    big_multiply(big, UINT32_C(1) << (bits % 32));
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    for (int i = a->len - 1; i >= 0; i--)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

static struct big big_sum(const struct big *a, const struct big *b)
{
    struct big result = { 0 };
    uint64_t carry = 0;

    for (int i = 0; i < a->len || i < b->len || carry; i++) {
        carry += (uint64_t)a->limbs[i] + b->limbs[i];
        result.limbs[result.len++] = (uint32_t)carry;
        carry >>= 32;
    }
    return result;
}

/* a -= b, where b is not larger. */
static void big_subtract(struct big *a, const struct big *b)
{
    int64_t borrow = 0;

    for (int i = 0; i < a->len; i++) {
        borrow += (int64_t)a->limbs[i] - (i < b->len ? b->limbs[i] : 0);
        a->limbs[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    while (a->len && a->limbs[a->len - 1] == 0)
        a->len--;
}

/* --- writing --- */

/* 0.d1d2d3… times ten to the power of `point`. */
struct digits {
    char text[20];
    int len;
    int point;
};

/* Short decimals, the usual case: the smallest k for which an integer of at most fifteen digits
 * divided by 10^k is the number. Up to fifteen digits no two decimals share a double, so this is
 * the shortest. */
static bool find_short(double number, struct digits *out)
{
    if (number < 1e-7 || number >= 1e15)
        return false;
    for (int k = 0; k <= MAX_EXACT_POWER; k++) {
        double scaled = nearbyint(number * exact_powers[k]);
        if (scaled >= 1e15)
            return false;
        if (scaled / exact_powers[k] != number)
            continue;
        char reversed[20];
        int len = 0;
        for (uint64_t rest = (uint64_t)scaled; rest; rest /= 10)
            reversed[len++] = (char)('0' + rest % 10);
        for (int i = 0; i < len; i++)
            out->text[i] = reversed[len - 1 - i];
        out->len = len;
        out->point = len - k;
        return true;
    }
    return false;
}

/* The interval that rounds to a number, as fractions over `scale`. */
struct interval {
    struct big value;
    struct big scale;
    struct big below; /* half the distance to the next double down */
    struct big above;
    bool is_closed; /* the ends belong to it: ties go to the even mantissa */
};

static void take_apart(double number, struct interval *out, int *point)
{
    int exponent;
    double fraction = frexp(number, &exponent);
    /* Below the normal range the mantissa has fewer bits. */
    int bits = exponent < -1021 ? 53 - (-1021 - exponent) : 53;
    uint64_t mantissa = (uint64_t)ldexp(fraction, bits);
    bool is_boundary = mantissa == UINT64_C(1) << 52 && exponent > -1021;

    exponent -= bits;
    out->value = big_from(mantissa);
    out->scale = big_from(1);
    out->below = big_from(1);
    /* Everything is doubled once for the halves, and again where the lower neighbour is nearer than
     * the upper one. */
    int shift = is_boundary ? 2 : 1;
    int up = exponent > 0 ? exponent : 0;
    big_shift(&out->value, up + shift);
    big_shift(&out->scale, up - exponent + shift);
    big_shift(&out->below, up);
    out->above = out->below;
    if (is_boundary)
        big_shift(&out->above, 1);
    out->is_closed = mantissa % 2 == 0;

    *point = (int)ceil(log10(number) - 1e-10);
    if (*point > 0) {
        big_multiply_power(&out->scale, *point);
    } else {
        big_multiply_power(&out->value, -*point);
        big_multiply_power(&out->below, -*point);
        big_multiply_power(&out->above, -*point);
    }
}

static void multiply_by_ten(struct interval *interval)
{
    big_multiply(&interval->value, 10);
    big_multiply(&interval->below, 10);
    big_multiply(&interval->above, 10);
}

static bool reaches_above(const struct interval *interval)
{
    struct big sum = big_sum(&interval->value, &interval->above);
    int order = big_compare(&sum, &interval->scale);
    return interval->is_closed ? order >= 0 : order > 0;
}

/* Steele and White's free-format algorithm: digits are produced until what is left is within the
 * interval of the number. */
static void find_digits(double number, struct digits *out)
{
    struct interval interval;

    take_apart(number, &interval, &out->point);
    /* The estimate of the logarithm may be one too small. */
    if (reaches_above(&interval)) {
        out->point++;
        big_multiply(&interval.scale, 10);
    }
    out->len = 0;
    for (;;) {
        multiply_by_ten(&interval);
        int digit = 0;
        while (big_compare(&interval.value, &interval.scale) >= 0) {
            big_subtract(&interval.value, &interval.scale);
            digit++;
        }
        int order = big_compare(&interval.value, &interval.below);
        bool is_low = interval.is_closed ? order <= 0 : order < 0;
        bool is_high = reaches_above(&interval);
        if (is_low || is_high) {
            struct big twice = big_sum(&interval.value, &interval.value);
            int half = big_compare(&twice, &interval.scale);
            if (is_high && (!is_low || half > 0 || (half == 0 && digit % 2 == 1)))
                digit++;
            out->text[out->len++] = (char)('0' + digit);
            return;
        }
        out->text[out->len++] = (char)('0' + digit);
    }
}

static void add_plain(struct strbuf *out, const struct digits *digits)
{
    str text = { digits->text, (size_t)digits->len };

    if (digits->point <= 0) {
        strbuf_add(out, STR("0."));
        strbuf_add_repeated(out, '0', (size_t)-digits->point);
        strbuf_add(out, text);
    } else if (digits->point >= digits->len) {
        strbuf_add(out, text);
        strbuf_add_repeated(out, '0', (size_t)(digits->point - digits->len));
    } else {
        strbuf_add(out, str_slice(text, 0, (size_t)digits->point));
        strbuf_add_char(out, '.');
        strbuf_add(out, str_slice(text, (size_t)digits->point, text.len));
    }
}

static void add_scientific(struct strbuf *out, const struct digits *digits)
{
    str text = { digits->text, (size_t)digits->len };

    strbuf_add_char(out, text.ptr[0]);
    if (text.len > 1) {
        strbuf_add_char(out, '.');
        strbuf_add(out, str_slice(text, 1, text.len));
    }
    strbuf_printf(out, "e%c%d", digits->point > 0 ? '+' : '-', abs(digits->point - 1));
}

void json_format_number(struct strbuf *out, double number)
{
    struct digits digits;

    if (signbit(number)) {
        strbuf_add_char(out, '-');
        number = -number;
    }
    if (number == 0) {
        strbuf_add_char(out, '0');
        return;
    }
    /* Nothing sensible can be written; what is written at least reads back as JSON. */
    if (!isfinite(number)) {
        strbuf_add(out, STR("0"));
        return;
    }
    if (!find_short(number, &digits))
        find_digits(number, &digits);
    if (number < 1e-6 || number >= 1e21)
        add_scientific(out, &digits);
    else
        add_plain(out, &digits);
}

/* SPDX-License-Identifier: MIT */
#include "cli/stats.h"

#include <math.h>

/*
 * P(|T| <= t) of Student's distribution with n degrees of freedom: the finite series of Abramowitz
 * and Stegun, 26.7.3 and 26.7.4.
 */
static double student_within(double t, size_t n)
{
    double theta = atan(t / sqrt((double)n));
    double c = cos(theta);
    bool odd = n % 2 == 1;
    double term = odd ? c : 1;
    double sum = n == 1 ? 0 : term;
    for (size_t k = odd ? 2 : 1; k + 2 < n + (odd ? 1 : 0); k += 2) {
        term *= c * c * (double)k / (double)(k + 1);
        sum += term;
    }
    double s = sin(theta);
    return odd ? 2 / M_PI * (theta + s * sum) : s * sum;
}

/* The t that 95 % of Student's distribution lies within. Beyond 1,000 degrees the normal one's. */
static double student_95(size_t n)
{
    if (n > 1000)
        return 1.959963984540054;
    double low = 1.9;
    double high = 12.8;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (student_within(middle, n) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

struct stats_fit stats_fit(const double *x, const double *y, size_t count)
{
    struct stats_fit fit = {0};
    double mean_x = 0;
    double mean_y = 0;
    for (size_t i = 0; i < count; i++) {
        mean_x += (x[i] - mean_x) / (double)(i + 1);
        mean_y += (y[i] - mean_y) / (double)(i + 1);
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    bool constant = true;
    bool one_x = true;
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        constant = constant && y[i] == y[0];
        one_x = one_x && x[i] == x[0];
    }
    if (count < 2 || one_x || !(xx > 0))
        return fit;
    fit.valid = true;
    fit.slope = constant ? 0 : xy / xx;
    fit.intercept = constant ? y[0] : mean_y - fit.slope * mean_x;
    double rest = 0;
    for (size_t i = 0; i < count; i++) {
        double miss = y[i] - fit.intercept - fit.slope * x[i];
        rest += miss * miss;
    }
    fit.r2_valid = !constant && yy > 0;
    if (fit.r2_valid)
        fit.r2 = fmax(0, 1 - rest / yy);
    fit.interval_valid = count > 2;
    if (fit.interval_valid) {
        double half = student_95(count - 2) * sqrt(rest / (double)(count - 2) / xx);
        fit.slope_low = fit.slope - half;
        fit.slope_high = fit.slope + half;
    }
    return fit;
}

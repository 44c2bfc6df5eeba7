//! Intervals and coefficients: Wilson, seeded bootstrap, AUC, Spearman. All are deterministic.

/// The factor of a 95 % interval.
const Z: f64 = 1.959_963_984_540_054;

/// The number of resamples of a bootstrap.
pub(crate) const RESAMPLES: usize = 1000;

/// The 95 % interval of a share of `hits` in `n` (Wilson 1927); 0 to 1 if `n` is 0.
pub(crate) fn wilson(hits: u64, n: u64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let (hits, n) = (hits.min(n) as f64, n as f64);
    let share = hits / n;
    let denominator = 1.0 + Z * Z / n;
    let centre = share + Z * Z / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    (((centre - half) / denominator).max(0.0), ((centre + half) / denominator).min(1.0))
}

/// A small generator of pseudo-random numbers (splitmix64, Steele et al. 2014); the numbers depend only on the seed.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator for a purpose: the same seed and purpose give the same numbers.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        // FNV-1a is sufficient, because the hash only has to distinguish the purposes.
        let hash = purpose
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        Self(seed ^ hash)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        if bound == 0 {
            return 0;
        }
        // The bias of the remainder is below 2^-40 for any list that fits into memory.
        usize::try_from(self.next() % bound as u64).unwrap_or(0)
    }

    /// The numbers from 0 to `n` in random order (Fisher–Yates).
    pub(crate) fn shuffled(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for at in (1..n).rev() {
            order.swap(at, self.below(at + 1));
        }
        order
    }
}

/// The 2.5th and 97.5th percentile of `statistic` over resamples of `n` items; `None` if it is never defined.
pub(crate) fn bootstrap(
    n: usize,
    mut random: Random,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Option<(f64, f64)> {
    let mut picks = vec![0; n];
    let mut values = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        picks.fill_with(|| random.below(n));
        values.extend(statistic(&picks).filter(|value| value.is_finite()));
    }
    percentiles(values)
}

/// The 2.5th and 97.5th percentile of some values.
pub(crate) fn percentiles(mut values: Vec<f64>) -> Option<(f64, f64)> {
    if values.is_empty() {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    Some((at(0.025), at(0.975)))
}

/// Ranks from 1; equal values get the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let same = order[start..].iter().take_while(|at| values[**at] == values[order[start]]).count().max(1);
        let rank = start as f64 + (same as f64 + 1.0) / 2.0;
        for at in &order[start..start + same] {
            ranks[*at] = rank;
        }
        start += same;
    }
    ranks
}

/// Spearman's rank correlation of pairs; `None` if one side does not vary.
pub(crate) fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let of = |side: fn(&(f64, f64)) -> f64| ranks(&pairs.iter().map(side).collect::<Vec<_>>());
    let (a, b) = (of(|pair| pair.0), of(|pair| pair.1));
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let scale = (product(&a, &a) * product(&b, &b)).sqrt();
    (scale > 0.0).then(|| product(&a, &b) / scale)
}

/// The area under the ROC curve of (is positive, score) pairs; `None` if one class is empty.
pub(crate) fn auc(pairs: &[(bool, f64)]) -> Option<f64> {
    let ranks = ranks(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let positives = pairs.iter().filter(|pair| pair.0).count() as f64;
    let negatives = pairs.len() as f64 - positives;
    let sum: f64 = pairs.iter().zip(&ranks).filter(|(pair, _)| pair.0).map(|(_, rank)| rank).sum();
    let wins = sum - positives * (positives + 1.0) / 2.0;
    (positives > 0.0 && negatives > 0.0).then(|| wins / (positives * negatives))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_agrees_with_published_values() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (hits, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = wilson(hits, n);
            assert!((found.0 - low).abs() < 1e-4 && (found.1 - high).abs() < 1e-4, "{hits}/{n}: {found:?}");
        }
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(wilson(5, 3).1, 1.0);
    }

    #[test]
    fn coefficients_of_small_cases_are_as_counted_by_hand() {
        assert_eq!(spearman(&[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)]), Some(1.0));
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), Some(-1.0));
        assert_eq!(spearman(&[(1.0, 5.0), (2.0, 5.0)]), None);
        // With ties: ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
        let tied = spearman(&[(1.0, 1.0), (2.0, 2.0), (2.0, 3.0), (3.0, 4.0)]).expect("both vary");
        assert!((tied - 0.948_683).abs() < 1e-6, "{tied}");
        assert_eq!(auc(&[(true, 2.0), (false, 1.0), (true, 1.0), (false, 0.0)]), Some(0.875));
        assert_eq!(auc(&[(true, 1.0)]), None);
        assert_eq!((spearman(&[]), auc(&[])), (None, None));
    }

    #[test]
    fn a_bootstrap_repeats_itself_and_holds_the_mean() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let mean = |picks: &[usize]| Some(picks.iter().map(|at| values[*at]).sum::<f64>() / picks.len() as f64);
        let first = bootstrap(values.len(), Random::new(7, "mean"), mean).expect("defined");
        assert_eq!(Some(first), bootstrap(values.len(), Random::new(7, "mean"), mean));
        assert!(first.0 < 4.5 && 4.5 < first.1 && first.0 > 1.0, "{first:?}");
        assert_eq!(bootstrap(0, Random::new(7, ""), |_| None), None);
    }

    #[test]
    fn a_shuffle_keeps_every_number() {
        let mut order = Random::new(1, "order").shuffled(100);
        assert_ne!(order, (0..100).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
    }
}

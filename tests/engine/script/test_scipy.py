"""What scripts get as scipy, against SciPy: live where it is installed, else what scipy.json says.

`python -m tests.engine.script.test_scipy` writes scipy.json anew.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.engine.script.libraries import compare, record
from tests.selection import some

RECORDED = Path(__file__).with_name("scipy.json")
LIVE = importlib.util.find_spec("scipy") is not None
HEAD = """import numpy as np
from scipy import integrate, interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats
from scipy.spatial import distance
from scipy.sparse import linalg as splinalg
from scipy.stats import norm
X = np.linspace(-3, 3, 7)
P, Q = np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.25, 0.25, 0.25, 0.25])
A, B = np.array([[1.0, 2.0], [3.0, 5.0], [0.0, -1.0]]), np.array([[0.5, 2.0], [1.0, 1.0]])
M = np.array([[2.0, 1.0], [1.0, 3.0]])
U, V = np.array([1.0, 2.0, 2.5, 4.0, 5.5, 7.0]), np.array([2.0, 1.5, 3.0, 5.0, 4.0, 8.0])
K = sparse.csr_matrix([[0, 1.5, 0, 2], [0, 0, 0, 0], [3, 0, 4, 5]])
C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
def FITTED(*given, **options):
    return [np.round(each, 6) for each in optimize.curve_fit(*given, **options)]
def FOUND(f, x0, method=None, **given):
    r = optimize.minimize(f, x0, method=method, **given)  # whose last digits are those of NumPy's products
    return [np.round(r.x, 6), np.round(r.fun, 6), r.nit, r.nfev, r.success, r.message]
def BOWL(x):
    return np.sum((x - U[:2]) ** 2)
G = sparse.coo_matrix((np.array([1.0, 2, 3, -1]), ([0, 1, 2, 0], [1, 0, 2, 1])), shape=(3, 3), dtype=np.float32)
H = sparse.csr_matrix([[1, 0, 2, 0], [0, 1, 0, 1], [2, 2, 0, 0], [0, 0, 3, 0.0]])
T = sparse.diags([1.0, -2.5, 1], [-1, 0, 1], shape=(6, 6)).tocsr()
D = sparse.diags([4.0, 9, 1])
def HELD(*tables):
    return [[repr(each), each.tocoo().row, each.tocoo().col, each.tocoo().data] for each in tables]
def FILLED(kind):
    table = kind((3, 4))
    table[0, 1], table[1], table[2, :2], table[0, 1] = 2, [1, 0, 3, 0], 5, 0
    table[-1, -1] = 0
    table[[0, 2], 3] = [7, 8]
    table.setdiag(9)
    return [repr(table), table.toarray(), table[1].toarray(), table[0, 1], table[[0, 2]].toarray(), table.tocoo().row]
def CONVERGED(A, b):
    x, info = splinalg.cg(A, b)
    return [np.round(x, 5), info]
def SWING(t, y, drag=0.1):
    return [y[1], -np.sin(y[0]) - drag * y[1]]
def LOW(t, y):
    return y[0]
LOW.direction, LOW.terminal = -1, 2
def MOVED(**given):
    r = integrate.solve_ivp(SWING, given.pop('span', (0, 10)), [1.0, 0.0], **given)
    seen = [] if r.sol is None else [r.sol(np.linspace(r.t[0], r.t[-1], 5)), r.sol(r.t[1])]
    hits = [] if r.t_events is None else [*r.t_events, *[np.round(each, 12) for each in r.y_events]]
    return [r.t, np.round(r.y, 12), r.status, r.message, r.success, r.nfev, *seen, *hits]
def SAID(f):
    try:
        f()
    except (TypeError, ValueError, IndexError, NotImplementedError) as error:
        return str(error)
"""
CASES = [
    "[norm.pdf(0), norm.pdf(X), norm.pdf(X, 1, 2), norm.pdf(X, loc=1, scale=2), norm.logpdf(X, 0.5)]",
    "[norm.cdf(X), norm.sf(X, 1), norm.logcdf(X), norm.ppf([0.01, 0.5, 0.975]), norm.isf(0.05), norm.ppf(0.9, 1, 2)]",
    "[norm(1, 2).pdf(X), norm(loc=1, scale=2).cdf(0.3), norm(1, 2).mean(), norm(1, 2).std(), norm(1, 2).var()]",
    "[norm.interval(0.95), norm(1, 2).interval(0.5), norm.fit(U)]",
    "[norm.rvs(size=3, random_state=0), norm.rvs(2, 3, size=(2, 2), random_state=1), norm(5).rvs(2, random_state=2)]",
    "norm.rvs(2, 3, 4, random_state=np.random.RandomState(7))",
    "[stats.uniform.pdf(X, -1, 3), stats.uniform(-1, 3).cdf(X), stats.uniform.rvs(0, 2, size=2, random_state=3)]",
    "[stats.expon.pdf(X), stats.expon.cdf(X, scale=2), stats.expon.ppf(0.3), stats.expon.rvs(size=2, random_state=3)]",
    "[stats.beta.pdf([0.1, 0.5, 1.5], 2, 3), stats.beta(2, 3).cdf(0.3), stats.beta.mean(2, 3), stats.beta(2, 3).std()]",
    "[stats.t.pdf(X, 4), stats.t.cdf(X, 4), stats.t.sf(2.5, 7), stats.t(5).var()]",
    "[stats.multivariate_normal([1, 2], M).pdf(A), stats.multivariate_normal.logpdf([0.5, 1], [0, 0], M)]",
    "[stats.multivariate_normal.pdf(X), stats.multivariate_normal(mean=[0, 0], cov=[1, 4]).pdf([1, 1])]",
    "stats.multivariate_normal.rvs([0, 1], M, size=3, random_state=0)",
    "[stats.pearsonr(U, V), stats.pearsonr(U, V)[0], stats.pearsonr(U, V).pvalue, stats.pearsonr([1, 2], [3, 5])]",
    "stats.pearsonr([1, 2, 3], [1, 2])",
    "[stats.spearmanr(U, V), stats.spearmanr(U, V).correlation, stats.spearmanr([1, 1, 2, 3], [2, 3, 3, 1])]",
    "[stats.rankdata([3, 1, 3, 2]), *(stats.rankdata([3, 1, 3, 2], m) for m in ('min', 'max', 'dense', 'ordinal'))]",
    "[stats.linregress(U, V), stats.linregress(U, V).slope, stats.linregress(U, V).intercept_stderr]",
    "[repr(stats.linregress([0.0, 1.0], [1.0, 3.0])), repr(stats.ttest_1samp([1.0, 2.0, 3.0], 2.0))]",
    "[stats.ttest_ind(U, V), stats.ttest_ind(U, V[:4], equal_var=False)]",
    "[stats.ttest_1samp(U, 3), stats.ttest_rel(U, V)]",
    "[stats.entropy(P), stats.entropy(P, Q), stats.entropy(P, base=2)]",
    "[stats.entropy([[1, 2], [3, 4]]), stats.entropy([1, 0])]",
    "[stats.zscore(U), stats.zscore(A), stats.zscore(A, axis=1), stats.skew(U)]",
    "[stats.kurtosis(U), stats.sem(U), stats.iqr(U)]",
    "[tuple(stats.mode([3, 1, 2, 1, 3])), stats.wasserstein_distance(U, V)]",
    "[stats.wasserstein_distance([0, 1], [5, 6, 8])]",
    "[special.expit(X), special.expit(0), special.logit([0.1, 0.5]), special.log_expit(X)]",
    "[special.softmax(X), special.softmax(A, axis=1), special.log_softmax(A, axis=0)]",
    "[special.logsumexp(X), special.logsumexp(A, axis=1), special.logsumexp(A, axis=0, keepdims=True)]",
    "[special.logsumexp([0, 1], b=[2, 3]), special.logsumexp([-1000, -1000.5])]",
    "[special.logsumexp([1, 2], b=[1, -1], return_sign=True)]",
    "[special.erf(X), special.erfc(X), special.erfinv([0.3, -0.9]), special.ndtr(X), special.ndtri(0.3)]",
    "[special.gamma([0.5, 5, 171]), special.gammaln([0.5, 20]), special.digamma(3.0), special.beta(2, 3)]",
    "[special.factorial(5), special.factorial([0, 3]), special.factorial(20, exact=True), special.perm(5, 2)]",
    "[special.comb(5, 2), special.comb(5, [0, 3, 6])]",
    "[special.comb(50, 25, exact=True), special.comb(4, 2, repetition=True)]",
    "[special.xlogy(0, 0), special.entr(P), special.rel_entr(P, Q), special.kl_div(P, Q)]",
    "special.betainc([2, 0.5, 40], [3, 7, 0.5], [0.2, 0.9, 0.999])",
    "[distance.euclidean([1, 2], [4, 6]), distance.cosine([1, 2], [2, 1]), distance.cityblock([1, 2], [4, 6])]",
    "[distance.chebyshev([1, 2], [4, 6]), distance.sqeuclidean([1, 2], [4, 6])]",
    "[distance.hamming([1, 0, 1], [1, 1, 1]), distance.jaccard([True, False, True], [True, True, True])]",
    "[distance.mahalanobis([1, 2], [4, 6], [[1, 0.5], [0.5, 2]]), distance.seuclidean([1, 2], [4, 6], [2, 0.5])]",
    "[distance.canberra([1, 0, 2], [4, 0, 6]), distance.braycurtis([1, 2], [4, 6])]",
    "[distance.correlation(U, V), distance.minkowski([1, 2], [4, 6], 3)]",
    "[distance.jensenshannon(P, Q), distance.jensenshannon(P, Q, 2)]",
    "[distance.cdist(A, B, m) for m in ('euclidean', 'sqeuclidean', 'cityblock', 'cosine', 'chebyshev')]",
    "distance.cdist(C, C + C.T, 'correlation')",
    "[distance.cdist(A, B), distance.cdist(A, B, lambda a, b: a.sum() - b.sum())]",
    "[distance.cdist(A, B, 'minkowski', p=3)]",
    "distance.cdist(A, B[:, :1])",
    "[distance.pdist(A), distance.squareform(distance.pdist(A))]",
    "[distance.squareform(distance.squareform(distance.pdist(A)))]",
    "spatial.distance_matrix(A, B)",
    "[signal.convolve(U, [1, 2, 1], m) for m in ('full', 'same', 'valid')]",
    "[signal.correlate(U, V[:3], m) for m in ('full', 'same', 'valid')]",
    "[signal.convolve2d(C, B, m) for m in ('full', 'same', 'valid')] + [signal.correlate2d(C, B, 'same')]",
    "[signal.correlate2d(C, A[:2, :1], m) for m in ('same', 'valid', 'full')]",
    "[signal.convolve2d(C, B, 'same', 'symm'), signal.convolve2d(C, B, 'same', 'wrap')]",
    "[signal.convolve2d(C, B, 'full', 'wrap')]",
    "signal.convolve(U, A)",
    "[ndimage.gaussian_filter1d(U, 1), ndimage.gaussian_filter1d(U, 2.5), ndimage.gaussian_filter1d([1, 5, 9], 1)]",
    "[ndimage.gaussian_filter1d(U, 1.5, mode=m) for m in ('constant', 'nearest', 'mirror', 'wrap')]",
    "[ndimage.gaussian_filter(A, 1), ndimage.gaussian_filter(A, (0, 1)), ndimage.gaussian_filter1d(A, 1, axis=0)]",
    "[ndimage.uniform_filter1d(U, 3), ndimage.uniform_filter1d(U, 4), ndimage.uniform_filter(A, 2)]",
    "[ndimage.convolve1d(U, [1, 2, 4]), ndimage.convolve1d(U, [1, 2]), ndimage.correlate1d(U, [1, 2, 4], origin=1)]",
    "[interpolate.interp1d(U, V)([1.0, 3.3, 7.0]), interpolate.interp1d(U, V)(2.2)]",
    "[interpolate.interp1d([3, 1, 2], [9, 1, 4])(1.5)]",
    "[interpolate.interp1d(U, V, kind=k)([1.1, 2.25, 4.75, 6.9]) for k in ('nearest', 'previous', 'next')]",
    "interpolate.interp1d(U, V)([0.0, 3.0])",
    "[interpolate.interp1d(U, V, bounds_error=False, fill_value=0.0)([0, 3, 9])]",
    "[interpolate.interp1d(U, V, fill_value='extrapolate')([0, 9])]",
    "interpolate.interp1d(U, V, bounds_error=False, fill_value=(V[0], V[-1]))([0.0, 3.0, 9.0])",
    "[linalg.inv(M), linalg.norm(A), linalg.solve(M, [1, 2]), linalg.det(M), linalg.pinv(A), linalg.eigh(M)[0]]",
    "[linalg.svd(A)[1], linalg.svdvals(A), linalg.cholesky(M), linalg.cholesky(M, lower=True), linalg.expm(M)]",
    "[np.abs(linalg.qr(A)[1]), np.abs(linalg.qr(A, mode='economic')[1]), linalg.lstsq(A, [1, 2, 3])[0]]",
    "[linalg.block_diag(M, [[7]], [1, 2]), linalg.toeplitz([1, 2, 3]), linalg.toeplitz([1, 2], [1, 5, 6])]",
    "[FOUND(lambda x: (x[0] - 1) ** 2 + (x[1] - 2.5) ** 2, [2, 0], how) for how in (None, 'BFGS', 'Nelder-Mead')]",
    "[FOUND(optimize.rosen, [1.3, 0.7, 0.8, 1.9, 1.2], how) for how in ('BFGS', 'Nelder-Mead')]",
    "[FOUND(lambda x: np.cos(x[0]) + x[0] ** 2 / 10, 1.0), FOUND(lambda x, a: (x[0] - a) ** 4, [3.0], args=(1,))]",
    "FOUND(lambda x: (np.sum(x**4 - 3 * x**2 + x), 4 * x**3 - 6 * x + 1), [0.5, -0.3, 2.0], jac=True)",
    "[FOUND(optimize.rosen, [-1.2, 1], how, tol=1e-7) for how in (None, 'Nelder-Mead')]",
    "FOUND(optimize.rosen, [-1.2, 1], jac=optimize.rosen_der, options={'maxiter': 5})",
    "FOUND(lambda w: np.mean(np.log1p(np.exp(-(V - 3) * (w[0] * U + w[1])))) + 0.02 * w @ w, np.zeros(2))",
    "repr(optimize.minimize(BOWL, [2.0, 0.0], jac=lambda x: 2 * (x - U[:2])))",
    "FITTED(lambda x, a, b: a * x + b, U, V)",
    "FITTED(lambda x, a, b, c: a * np.exp(-b * x) + c, U, 4 * np.exp(-U) + 0.01 * V)",
    "FITTED(lambda x, a, w: a * np.sin(w * x), X, 2 * np.sin(0.9 * X) + 0.1 * np.cos(7 * X), sigma=1 + X**2)",
    "FITTED(lambda x, a: a * x, U, V, sigma=np.full(6, 0.5), absolute_sigma=True)",
    "[optimize.linear_sum_assignment(C), optimize.linear_sum_assignment(C, maximize=True)]",
    "[optimize.linear_sum_assignment(A)]",
    "[optimize.linear_sum_assignment(np.ones((3, 4)))]",
    "[optimize.linear_sum_assignment(np.arange(20).reshape(4, 5) % 7)]",
    "optimize.linear_sum_assignment([1, 2])",
    "integrate.trapezoid(U, dx=0.5)",
    "[MOVED(), MOVED(method='RK23', t_eval=[0, 1, 2.5]), MOVED(span=(3, 0), rtol=1e-6, atol=1e-9, args=(0.3,))]",
    "[MOVED(events=[LOW, lambda t, y: y[1] + 0.5], dense_output=1), MOVED(max_step=0.5, first_step=0.1)]",
    "[repr(integrate.solve_ivp(lambda t, y: -y, (0, 1), [2.0], events=lambda t, y: y[0] - 1))]",
    "[SAID(lambda: MOVED(t_eval=[11.0])), SAID(lambda: MOVED(first_step=99)), SAID(lambda: MOVED(t_eval=[2, 1]))]",
    "integrate.odeint(lambda y, t, d: SWING(t, y, d), [1.0, 0.0], [0, 1, 1, 4], args=(0.2,)).round(6)",
    "[integrate.odeint(SWING, U[:2], [0, -1], tfirst=1).round(6), SAID(lambda: integrate.odeint(0, U, U[[0, 1, 0]]))]",
    "[integrate.quad(np.sin, 0, 3), integrate.quad(lambda x, a: a * np.exp(-x * x), 1, 0, args=(2,))]",
    "[np.round(integrate.quad(lambda x: np.exp(-x * x), *ends), 12) for ends in ((-np.inf, np.inf), (np.inf, 1))]",
    "[integrate.quad(abs, -1, 2, points=[0])[0], integrate.dblquad(lambda y, x: x * y, 0, 1, 0, 2)]",
    "[integrate.simpson(V[:many], x=U[:many]) for many in (2, 3, 4, 5, 6)]",
    "[integrate.simpson(V, dx=0.3), integrate.simpson(np.outer(V, U), axis=0), integrate.simpson(V[:5])]",
    "[integrate.cumulative_trapezoid(V, U), integrate.cumulative_trapezoid(np.outer(V, U), axis=0, initial=0)]",
    "[optimize.brentq(lambda x: x**3 - 2, 0, 2), optimize.bisect(np.cos, 0, 3)]",
    "SAID(lambda: optimize.brentq(abs, 1, 2))",
    (
        "[str(K), repr(K.T), str(sparse.coo_matrix(A)), str(sparse.csc_matrix(A)), repr(sparse.csr_matrix((3, "
        "4))), str(sparse.csr_matrix((2, 2)))]"
    ),
    (
        "[K[2].toarray(), K[:, 3].toarray(), K[[2, 0]].toarray(), K[0, 1], K[1:, ::2].toarray(), K[np.array([True, "
        "False, True])].toarray()]"
    ),
    "[K.indptr, K.indices, K.data, K.nnz, K.shape, K.getnnz(0), K.nonzero()[0], K.T.indptr, K.tocoo().row]",
    "[np.asarray(K.sum(0)), np.asarray(K.sum(axis=1)), K.sum(), np.asarray(K.mean(0)), K.mean(), K.max(), K.min()]",
    "[K @ np.arange(4), K.dot(np.ones((4, 2))), (K @ K.T).toarray(), np.ones(3) @ K, (K * 2).toarray(), (K / 4).data]",
    "[(K + K).toarray(), (K - K).toarray(), K.multiply([[1, 2, 3, 4]]).toarray(), K.power(2).data, (-K).data]",
    "[sparse.csr_matrix(([1, 2, 3], ([0, 1, 0], [2, 0, 2])), shape=(2, 3)).toarray(), sparse.eye(3, k=1).toarray()]",
    "[sparse.csr_matrix(([1, 2], [1, 0], [0, 1, 2])).toarray(), sparse.issparse(K), sparse.issparse(A)]",
    ("[sparse.vstack([K, K]).shape, sparse.hstack([K, K]).toarray()[2], K.astype(np.float32).dtype.name]"),
    "HELD(K @ H, K.tocsc() @ H, H @ H, H**2, H**3, D @ K, D.dot(D), G @ G.T, K + K, K - K, K.tocsc() + K, D + D)",
    "HELD(K.multiply(K), K.multiply(2), K.multiply(np.ones((3, 4))), K.multiply([1, 2, 3, 4]), K.multiply(K[:, 0]))",
    "HELD(K > 2, K < 1, K != 0, K == 0, K.T > K.T, G > G.T, K >= K, K.minimum(1), K.maximum(K * 2), abs(G), G.sign())",
    "HELD(sparse.eye(3), sparse.identity(2), D, sparse.diags([[1, 2], [3, 4, 5]], [1, 0]), D * 2, D.T, D.power(-0.5))",
    "HELD(G + G.T.multiply(G.T > G) - G.multiply(G.T > G), G + sparse.eye(3), D.dot(G + G.T), K.T.tocsr(), K.sqrt())",
    "[FILLED(sparse.lil_matrix), FILLED(sparse.csr_matrix), FILLED(sparse.csc_matrix), FILLED(sparse.dok_matrix)]",
    "HELD(sparse.kron(K, H), sparse.block_diag([K, H]), sparse.tril(H), sparse.triu(H, 1), sparse.hstack([G, G]))",
    "HELD(sparse.bmat([[K, None], [None, H]]), sparse.spdiags([[1, 2, 3], [4, 5, 6]], [0, 1], 3, 3))",
    "HELD(K.reshape((4, 3)), G + G)",
    "HELD(sparse.random(4, 5, density=0.3, random_state=0), sparse.random(4, 5, 0.4, format='csr', rng=3))",
    "[D.data, D.offsets, D.diagonal(), D @ [1, 2, 3], sparse.find(K), K.diagonal(1), K.trace(), K.argmax(axis=1)]",
    "[K.max(axis=0).toarray(), K.max(axis=1).toarray(), K.min(), K.sum(axis=1), K[K > 2], K[[0, 2], [1, 3]], K[0, 3]]",
    "[np.ones(3) @ K, [1, 2, 3] * K, K * np.ones(4), K + np.ones((3, 4)), (2 * K).data, (K / 2).data, (-K).data]",
    "[K.indices.dtype.name, K.nonzero(), (K @ H).has_sorted_indices, G.nnz, G.tocsr().nnz, K.count_nonzero()]",
    "[SAID(lambda: K + 1), SAID(lambda: K @ K), SAID(lambda: K + H), SAID(lambda: K @ np.ones(3))]",
    "[SAID(lambda: G[0]), SAID(lambda: len(K)), SAID(lambda: bool(K)), SAID(lambda: K[9, 0])]",
    "[SAID(lambda: sparse.diags([[1, 2], [1]], [0, 5])), SAID(lambda: sparse.diags([[1, 2], [1]], [0, 0]))]",
    "[splinalg.spsolve(T, np.arange(6.0)), splinalg.norm(T), splinalg.inv(T.tocsc()).toarray(), CONVERGED(-T, U)]",
    "[splinalg.splu(T.tocsc()).solve(U), splinalg.factorized(T.tocsc())(V), SAID(lambda: splinalg.spsolve(K, U))]",
    "[splinalg.eigsh(T, k=3, which=w, return_eigenvectors=False) for w in ('LM', 'SM', 'LA', 'SA', 'BE')]",
    "[splinalg.eigsh(T, k=2)[0], splinalg.svds(T, k=3)[1], splinalg.expm(sparse.csc_matrix(M)).toarray()]",
]


@pytest.mark.parametrize("case", some(CASES, 4))
def test_the_numbers_are_those_of_scipy(case: str) -> None:
    compare(HEAD, case, RECORDED, LIVE)


if __name__ == "__main__":
    record(HEAD, CASES, RECORDED)

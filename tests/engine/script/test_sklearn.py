"""What scripts get as sklearn, against scikit-learn: live where it is installed, else what sklearn.json says.

`python -m tests.engine.script.test_sklearn` writes sklearn.json anew.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.engine.script.libraries import compare, record
from tests.selection import some

RECORDED = Path(__file__).with_name("sklearn.json")
LIVE = importlib.util.find_spec("sklearn") is not None
HEAD = """import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin, clone
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.datasets import *
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.isotonic import IsotonicRegression, check_increasing, isotonic_regression
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import *
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances, rbf_kernel
from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit, StratifiedShuffleSplit, TimeSeriesSplit
from sklearn.model_selection import GridSearchCV, GroupKFold, GroupShuffleSplit, ParameterGrid
from sklearn.model_selection import cross_val_predict, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import *
from sklearn.utils import shuffle
from sklearn.utils.class_weight import compute_class_weight
T = pd.DataFrame({'a': [1.0, 2, 3, 4, 5, 6], 'b': [2, 4, 6, 8, 10, 1], 'c': list('xyxyxx')})
G = np.array([[1.0, 2], [3, np.nan], [5, 10]])
A, B = np.array([[1.0, 2], [3, 4], [5, 10]]), np.array([[1.5, 2], [3, 5], [4, 8]])
I, K = load_iris(), KMeans(3, random_state=0, n_init=1)
class Centred(BaseEstimator, TransformerMixin):
    def __init__(self, times=1, kind='a', inner=None):
        self.times, self.kind, self.inner = times, kind, inner
    def fit(self, X, y=None):
        self.mean_ = X.mean(0)
        return self
    def transform(self, X):
        return (X - self.mean_) * self.times
class First(RegressorMixin, BaseEstimator):
    def predict(self, X):
        return X[:, 0]
class Ones(ClassifierMixin, BaseEstimator):
    def predict(self, X):
        return [1] * len(X)
Y, S = [0, 0, 1, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.7]
D = ["The cat sat on the mat, the cat!", "A dog and a cat", "dogs bark at cats on mats", "on and on it goes"]
N = GridSearchCV(KNeighborsClassifier(), {'n_neighbors': [1, 3, 9], 'weights': ['uniform', 'distance']}, cv=3)
L, M = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]]), np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0]])
W = np.random.RandomState(0).randint(0, 7, 30)
P, Q = np.random.RandomState(1).rand(40).round(2), np.random.RandomState(2).rand(40)
"""
BUNDLED = ["iris", "wine", "breast_cancer", "diabetes", "digits"]
CASES = [
    "isotonic_regression([5, 3, 1, 2, 8, 10, 7, 9, 6, 4])",
    "isotonic_regression([5, 3, 1, 2, 8, 10], increasing=False, y_min=2, y_max=4.5, sample_weight=[1, 2, 3, 1, 1, 2])",
    "[check_increasing(P, Q), check_increasing([1, 2, 3], [3, 2, 1]), repr(IsotonicRegression(y_min=0))]",
    "np.nan_to_num(IsotonicRegression().fit(P, Q).predict([-1, 0, 0.1, 0.25, 0.5, 0.77, 1, 2]), nan=-9)",
    "IsotonicRegression(out_of_bounds='clip').fit_transform(P.astype('float32'), (Q > .5).astype(int))",
    "IsotonicRegression(increasing='auto').fit(P[:, None], -P).y_thresholds_",
    (
        "[IsotonicRegression().fit(P, Q, sample_weight=W[:1].repeat(40)).X_thresholds_, "
        "IsotonicRegression().fit(P, Q).X_max_]"
    ),
    "IsotonicRegression(out_of_bounds='raise').fit(P, Q).predict([2.0])",
    "IsotonicRegression().fit(A, [1, 2, 3])",
    "IsotonicRegression().fit(P, Q).score(P, Q)",
    "[f1_score(L, M, average=a) for a in (None, 'micro', 'macro', 'weighted', 'samples')]",
    "[precision_score(L, M, average=None, zero_division=1), recall_score(L, M, average='samples')]",
    "[classification_report(L, M, zero_division=0), accuracy_score(L, M)]",
    "LabelEncoder().fit(T['c']).classes_.dtype.kind",
    "precision_score(L, M)",
    "[precision_score([1, 0], [0, 0], zero_division=1), recall_score([0, 0], [0, 1], zero_division=1)]",
    "classification_report([0, 1], [0, 0], zero_division=1)",
    "[repr(Centred(2)), repr(Centred()), repr(First()), Centred(2).fit_transform(A), Centred(times=3).fit(A).mean_]",
    (
        "[str(CountVectorizer().fit_transform(D)), repr(CountVectorizer()), "
        "repr(OneHotEncoder().fit_transform([[1], [2]]))]"
    ),
    (
        "[CountVectorizer().fit_transform(D).toarray(), CountVectorizer().fit(D).vocabulary_, "
        "CountVectorizer().fit(D).get_feature_names_out()]"
    ),
    "[TfidfVectorizer(ngram_range=(1, 2), stop_words='english', max_features=5).fit_transform(D).toarray()]",
    (
        "[TfidfVectorizer(norm='l1', sublinear_tf=True, smooth_idf=False).fit_transform(D).toarray(), "
        "TfidfVectorizer().fit(D).idf_]"
    ),
    (
        "[list(CountVectorizer(analyzer=a, ngram_range=(2, 3)).fit(D[1:]).vocabulary_) for a in ('char', "
        "'char_wb', 'word')]"
    ),
    (
        "[list(CountVectorizer(min_df=2).fit(D).vocabulary_), CountVectorizer(max_df=0.5, "
        "binary=True).fit_transform(D).sum()]"
    ),
    (
        "[CountVectorizer(vocabulary=['cat', 'dog']).transform(D).toarray(), "
        "TfidfVectorizer().fit(D).transform(['cat zebra on']).toarray()]"
    ),
    "[list(row) for row in CountVectorizer().fit(D).inverse_transform(CountVectorizer().fit_transform(D))]",
    (
        "[TfidfTransformer(use_idf=False).fit_transform(CountVectorizer().fit_transform(D)).toarray(), "
        "repr(TfidfVectorizer(min_df=2))]"
    ),
    "CountVectorizer().fit(['a'])",
    "CountVectorizer().fit('abc')",
    "CountVectorizer(min_df=9).fit(D)",
    "[N.fit(I.data, I.target).best_params_, N.best_score_, N.cv_results_['rank_test_score'], N.cv_results_['params']]",
    (
        "[N.fit(I.data, I.target).cv_results_['split1_test_score'], N.predict(I.data[::30]), N.score(I.data, "
        "I.target), N.best_index_]"
    ),
    (
        "[GridSearchCV(make_pipeline(StandardScaler(), Ridge()), [{'ridge__alpha': [0.1, 1, 10]}, "
        "{'standardscaler__with_mean': [False]}], scoring='neg_mean_squared_error').fit(I.data[:, :3], I.data[:, "
        "3]).cv_results_['std_test_score']]"
    ),
    "[list(ParameterGrid({'b': [1, 2], 'a': [3]})), len(ParameterGrid([{'a': [1, 2]}, {'b': [1]}]))]",
    "[[a.tolist(), b.tolist()] for a, b in GroupShuffleSplit(2, test_size=.3, random_state=1).split(W, groups=W)]",
    "[[a.tolist(), b.tolist()] for a, b in GroupKFold(3).split(W, groups=W)]",
    "[[a.tolist(), b.tolist()] for a, b in GroupKFold(3, shuffle=True, random_state=2).split(W, groups=W)]",
    "cross_val_predict(KNeighborsClassifier(), I.data, I.target, cv=3)",
    "[str(Centred(2, kind='b').get_params()), Centred(inner=Centred(5)).get_params()['inner__times']]",
    "[repr(Centred().set_params(kind='c')), repr(clone(Centred(4))), hasattr(clone(Centred().fit(A)), 'mean_')]",
    "repr(Centred(inner=Centred()).set_params(inner__times=7))",
    "Centred().set_params(nothing=1)",
    "LogisticRegression(tol=1e-10, max_iter=5000).fit(I.data, I.target).coef_.round(3)",
    "LogisticRegression(tol=1e-10, max_iter=5000).fit(I.data, I.target).predict_proba(I.data[::20]).round(3)",
    "LogisticRegression(max_iter=1000).fit(I.data, I.target).score(I.data, I.target)",
    "LogisticRegression(max_iter=1000).fit(I.data[50:], I.target[50:]).predict(I.data[60:120:3])",
    "LogisticRegression(C=0.1, tol=1e-10, max_iter=5000).fit(I.data[:100], I.target[:100]).intercept_.round(3)",
    "LogisticRegression(solver='liblinear', tol=1e-10).fit(I.data[50:], I.target[50:]).coef_.round(3)",
    "LogisticRegression(class_weight='balanced', tol=1e-10, max_iter=5000).fit(A, [0, 1, 1]).coef_.round(3)",
    "[repr(LogisticRegression(C=2.0)), LogisticRegression().fit(A, ['p', 'q', 'q']).predict(B).tolist()]",
    "LogisticRegression().fit(A, [1, 1, 1])",
    "cross_val_score(LogisticRegression(max_iter=1000), I.data, I.target, cv=5)",
    "cross_val_score(LinearRegression(), I.data[:, :3], I.data[:, 3], cv=KFold(3, shuffle=True, random_state=0))",
    "cross_val_score(Ridge(), I.data[:, :3], I.data[:, 3], scoring='neg_mean_squared_error', cv=4)",
    "cross_val_score(make_pipeline(StandardScaler(), KNeighborsClassifier()), I.data, I.target, scoring='f1_macro')",
    "make_pipeline(StandardScaler(), Ridge()).set_params(ridge__alpha=5.0).fit(A, [1.0, 2, 4]).predict(B)",
    "[[a.tolist(), b.tolist()] for a, b in TimeSeriesSplit(3).split(np.zeros(11))]",
    "[[a.tolist(), b.tolist()] for a, b in TimeSeriesSplit(2, test_size=2, gap=1).split(np.zeros(9))]",
    "[silhouette_score(I.data, I.target), silhouette_score(I.data, I.target, metric='cosine')]",
    "[cosine_similarity(A, B), cosine_similarity(A), euclidean_distances(A, B), rbf_kernel(A, gamma=0.1)]",
    "[First().score(A, [1, 2, 5]), Ones().score(A, [1, 0, 1])]",
    "make_moons(7, shuffle=False)",
    "make_moons(n_samples=10, noise=0.1, random_state=0)",
    "make_moons((3, 5), shuffle=False)",
    "make_circles(9, noise=0.05, factor=0.4, random_state=1)",
    "make_circles((4, 2), random_state=np.random.RandomState(5))",
    "make_blobs(11, random_state=3)",
    "make_blobs(n_samples=[3, 4], n_features=3, random_state=3, cluster_std=[0.1, 2], center_box=(-1, 1))",
    "make_blobs(8, centers=[[0, 0], [5, 5]], random_state=2, return_centers=True)",
    "make_regression(6, 3, noise=2.5, random_state=1)",
    "make_regression(n_samples=5, n_features=4, n_informative=2, n_targets=2, coef=True, bias=3.0, random_state=0)",
    "make_classification(12, random_state=0)",
    "make_classification(12, 5, n_informative=3, n_redundant=1, n_repeated=1, n_classes=3, random_state=4, flip_y=0.3)",
    "make_classification(9, 2, n_redundant=0, n_clusters_per_class=1, weights=[0.2], hypercube=False, random_state=8)",
    "make_classification(9, 40, n_informative=35, shift=None, scale=None, random_state=8)",
    "load_iris(return_X_y=True)",
    "[load_iris().feature_names, list(load_iris()['target_names']), datasets.load_iris().data.shape]",
    *[f"[load_{name}().data.sum(axis=0), load_{name}().target[::50], load_{name}().data[3::250]]" for name in BUNDLED],
    *[f"[list(load_{name}()), list(load_{name}().feature_names)]" for name in BUNDLED],
    *[f"repr(load_{name}(as_frame=True).frame)" for name in BUNDLED],
    "load_wine(return_X_y=True, as_frame=True)[0].describe().to_string()",
    "load_wine(return_X_y=True, as_frame=True)[1].value_counts().to_dict()",
    "[load_breast_cancer().target_names, load_wine().target_names, load_digits().target_names]",
    "[load_diabetes(scaled=False).data[::100], load_digits(n_class=2).images[2]]",
    "[isinstance(load_iris(), dict), 'data' in load_iris(), hasattr(load_iris(), 'images')]",
    "make_gaussian_quantiles(n_samples=10, n_features=2, n_classes=3, random_state=1)",
    "[make_swiss_roll(5, noise=0.1, random_state=0), make_s_curve(4, random_state=0)]",
    "[make_friedman1(4, noise=0.1, random_state=0)]",
    "[make_multilabel_classification(6, 7, n_classes=4, length=9, random_state=3)]",
    (
        "[make_multilabel_classification(5, 3, n_labels=1, allow_unlabeled=False, return_indicator=False, "
        "return_distributions=True, random_state=0)]"
    ),
    "[part.values for part in train_test_split(T[['a', 'b']], T['a'], test_size=0.33, random_state=42)]",
    "[StandardScaler().fit_transform(T[['a', 'b']]), MinMaxScaler().fit(T[['a']]).transform(T[['a']])]",
    "[repr(StandardScaler()), repr(MinMaxScaler((0, 2))), repr(PCA(2)), repr(StandardScaler(with_mean=False))]",
    "LabelEncoder().fit(['x', 'y']).transform(['z'])",
    "LabelEncoder().fit(T['c'].values).transform(['z'])",
    (
        "[LabelEncoder().fit_transform(pd.Series(['b', None, 'a'])), "
        "LabelEncoder().fit(pd.Series(['b', None])).transform(pd.Series([None, 'b']))]"
    ),
    "OneHotEncoder(drop='first').fit_transform(T[['c']]).toarray()",
    "OneHotEncoder(handle_unknown='ignore', sparse_output=False).fit([[1], [2]]).transform([[3], [1]])",
    "list(OneHotEncoder().fit([['a'], ['b']]).get_feature_names_out(['k']))",
    "[OrdinalEncoder().fit_transform([['b'], ['a']]), LabelBinarizer().fit_transform([0, 2, 1])]",
    "[LabelBinarizer().fit_transform(['n', 'y', 'n']), Normalizer().fit_transform(A)]",
    "[RobustScaler().fit_transform(A), MaxAbsScaler().fit_transform(A), scale(A)]",
    "[PolynomialFeatures(2).fit_transform(A), PolynomialFeatures(3, include_bias=False).fit_transform(A[:, :1])]",
    "PolynomialFeatures(2, interaction_only=True).fit_transform(A)",
    "[PCA(2).fit_transform(load_iris().data)[::40], PCA(n_components=0.95).fit(load_iris().data).n_components_]",
    "PCA(2).fit(load_iris().data).explained_variance_ratio_",
    "LinearRegression().fit(A, [1.0, 2.0, 4.0]).predict(B)",
    "[LinearRegression().fit(np.hstack([M, -M]), M[:, 0] * 2).coef_.round(5) + 0.0 for M in [A, A.astype('float32')]]",
    "[f.rank_ for f in [LinearRegression().fit(np.hstack([I.data, I.data[:, :2] + 1]), I.target)]]",
    "[c(fit_intercept=i).fit(A, B, [1.0, 2, 5]).predict(B) for c in [LinearRegression, Ridge] for i in [True, False]]",
    "[str(m.predict(A.astype('float32')).dtype) for m in [LinearRegression().fit(A.astype('float32'), [1, 2, 4])]]",
    "[m.fit(I.data[:, :3], I.data[:, 3]).coef_ for m in [Lasso(0.1), Lasso(0.01, tol=1e-8), ElasticNet(0.1), Lasso()]]",
    "[[m.n_iter_, m.intercept_, m.dual_gap_] for m in [ElasticNet(0.05, l1_ratio=0.2).fit(I.data, I.target)]]",
    "[Lasso(0.1, positive=True).fit(A, [1.0, 2, 4]).coef_, Lasso(0.1, fit_intercept=False).fit(A, [1.0, 2, 4]).coef_]",
    "[ElasticNet(0.1).fit(A, B).coef_, Lasso(0.1).fit(A, [1.0, 2, 4]).score(A, [1, 2, 3]), repr(Lasso(0.1, tol=1e-3))]",
    "[list(Lasso().get_params()), Lasso().get_params()['max_iter'], repr(ElasticNet(alpha=2, l1_ratio=0.1))]",
    "[list(Ridge(2.0).get_params()), repr(Ridge(alpha=2.0, solver='svd'))]",
    "[Ridge(0.5).fit(A, B).coef_, LinearRegression().fit(A[:, :1], B).intercept_, Ridge().fit(A, B).score(A, B)]",
    "[K.fit(I.data).labels_, K.cluster_centers_, K.inertia_, K.n_iter_, K.predict(I.data[::30] + 0.1)]",
    "[KMeans(n_clusters=4, n_init='auto', random_state=42).fit(I.data).cluster_centers_, repr(KMeans(n_clusters=4))]",
    "[KMeans(5, n_init=10, random_state=1).fit_predict(make_blobs(60, centers=5, random_state=7)[0])]",
    "[KMeans(2, init='random', n_init=1, random_state=3).fit(load_wine().data).inertia_]",
    "[KMeans(2, init=A[:2], n_init=1).fit(A).labels_, K.fit(I.data).transform(I.data[:2]), K.score(I.data[::10])]",
    "KMeans(9).fit(A)",
    "[KNeighborsClassifier(3).fit(I.data[::2], I.target[::2]).predict(I.data[1::2])]",
    "KNeighborsClassifier(7, weights='distance').fit(I.data[::2], I.target[::2]).predict_proba(I.data[1::20])",
    "[KNeighborsClassifier().fit(I.data, I.target).score(I.data, I.target), repr(KNeighborsClassifier(n_neighbors=3))]",
    "[KNeighborsClassifier(1).fit(A, ['x', 'y', 'x']).predict(B), KNeighborsRegressor(2).fit(A, B).predict(B)]",
    "list(KNeighborsRegressor(2).fit(A, [1, 2, 4]).kneighbors(B))",
    "KNeighborsClassifier(9).fit(A, [0, 1, 1]).predict(B)",
    "make_pipeline(SimpleImputer(), StandardScaler()).fit_transform(G)",
    "SimpleImputer(strategy='most_frequent').fit_transform(pd.DataFrame({'k': ['b', None], 'n': [1, 1]})).tolist()",
    "SimpleImputer(strategy='constant').fit_transform(pd.DataFrame({'k': ['b', None]})).tolist()",
    "SimpleImputer().fit(T[['c']])",
    "Pipeline([('imp', SimpleImputer(strategy='median')), ('s', MinMaxScaler())]).fit(G).named_steps['s'].data_max_",
    "ColumnTransformer([('n', StandardScaler(), ['a']), ('c', OneHotEncoder(), ['c'])]).fit_transform(T)",
    "ColumnTransformer([('n', StandardScaler(), ['a'])], remainder='passthrough').fit_transform(T[['a', 'b']])",
    "compute_class_weight('balanced', classes=np.array([0, 1]), y=np.array([0, 1, 1]))",
    "list(ShuffleSplit(2, test_size=0.25, random_state=0).split(np.arange(8)))",
    "list(LeaveOneOut().split(A))",
    "list(StratifiedShuffleSplit(1, test_size=2, random_state=0).split(A[[0, 1, 2, 0]], [0, 0, 1, 1]))",
    "[roc_curve(Y, S), roc_auc_score(Y, S), auc([0, 0.5, 1], [0, 0.8, 1]), average_precision_score(Y, S)]",
    "precision_recall_curve(Y, S)",
    "roc_auc_score([0, 1, 2, 2], [[0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.3, 0.4], [0, 0, 1]], multi_class='ovr')",
    "precision_recall_fscore_support([0, 1, 2, 1], [0, 2, 2, 1], average='macro')",
    "[precision_recall_fscore_support([0, 1, 1], [0, 1, 0]), fbeta_score([0, 1, 1], [1, 1, 0], beta=2)]",
    "[balanced_accuracy_score([0, 1, 1], [0, 1, 0]), matthews_corrcoef([0, 1, 1, 0], [0, 1, 0, 0])]",
    "[mean_squared_error(A, B), mean_absolute_error(A, B), r2_score(A, B), mean_absolute_percentage_error(A, B)]",
    "[root_mean_squared_error(A, B), max_error(A[:, 0], B[:, 0]), explained_variance_score(A, B)]",
    "confusion_matrix([0, 1, 1], [1, 1, 0], normalize='true')",
    "confusion_matrix(['a', 'b'], ['a', 'a'], labels=['b', 'a'])",
    "train_test_split(np.arange(10), random_state=0)",
    "train_test_split(list(range(9)), np.arange(18).reshape(9, 2), test_size=0.3, random_state=42)",
    "train_test_split(range(10), test_size=0.2, stratify=[0, 1] * 5, random_state=1)",
    "train_test_split(np.arange(10), test_size=3, shuffle=False)",
    "train_test_split(np.arange(20), stratify=[0] * 12 + [1] * 8, test_size=5, random_state=7)",
    "train_test_split(np.arange(10), train_size=0.5, test_size=0.2, random_state=1)",
    "train_test_split(np.arange(3), test_size=4)",
    "train_test_split(np.arange(3), np.arange(4))",
    "StandardScaler().fit_transform(np.array([[1.0, 5], [2, 5], [4, 5]]))",
    "StandardScaler().fit(np.eye(3, dtype=np.float32)).transform(np.ones((2, 3), dtype=np.float32))",
    "StandardScaler().fit_transform(np.ones(3))",
    "MinMaxScaler((-1, 1)).fit_transform(np.array([[1.0, 5], [2, 5], [4, 5]]))",
    "[LabelEncoder().fit_transform(['b', 'a', 'b']), LabelEncoder().fit([3, 1]).transform([1, 3, 3])]",
    "OneHotEncoder(sparse_output=False).fit_transform(np.array([[1], [3], [1]]))",
    "[normalize(np.array([[3.0, 4], [0, 0]])), normalize(np.array([[3.0, 4], [0, 1]]), 'l1', axis=0)]",
    "shuffle(np.arange(6), random_state=3)",
    "[accuracy_score(np.array([[1, 0], [0, 1]]), np.array([[1, 1], [0, 1]])), accuracy_score([[1], [0]], [[1], [1]])]",
    "[accuracy_score([1, 0, 1], [1, 1, 1]), mean_squared_error([1.0, 2], [2, 4]), r2_score([1.0, 2, 4], [1, 2, 3])]",
    (
        "[[part.tolist() for part in train_test_split(y, test_size=0.5, random_state=0, stratify=y)]"
        " for y in train_test_split(pd.Series(np.arange(16) % 2), test_size=0.5, random_state=1)]"
    ),
    "[r2_score([1.0, 2, 4], [[1.0], [2], [3]]), mean_squared_error([[1.0], [2]], [2, 4]), max_error([1.0, 5], [2, 4])]",
    "mean_absolute_error([1.0, 2], [[2, 4], [1, 3]])",
    "[r2_score([1.0, 2, 4], [1, 2, 3], sample_weight=[1, 1, 3]), r2_score([[1.0, 2], [3, 5]], [[1, 2], [2, 4]])]",
    "[confusion_matrix([0, 1, 1], [0, 0, 1]), f1_score([1, 0, 1], [1, 1, 1]), precision_score([1, 0], [1, 1])]",
    "classification_report([0, 1, 2, 2, 2], [0, 0, 2, 2, 1], zero_division=0)",
    "classification_report([1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0], target_names=['no such thing', 'b'], digits=3)",
    "classification_report(['a', 'b', 'a'], ['a', 'b', 'b'], output_dict=True)",
    "classification_report([0, 1, 2], [0, 0, 2], target_names=['x', 'y'])",
    "[f1_score([0, 1, 2, 2, 1], [0, 2, 2, 2, 1], average=a) for a in ('macro', 'micro', 'weighted', None)]",
    "[recall_score([0, 1, 2, 2, 1], [0, 2, 2, 2, 1], average=a) for a in ('macro', 'micro', 'weighted', None)]",
    "precision_score([0, 1, 2, 2, 1], [0, 2, 2, 2, 1], average='macro')",
    "f1_score([0, 1, 2], [0, 2, 1])",
    "[roc_auc_score([0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.35, 0.8]), log_loss([0, 1, 1], [0.1, 0.9, 0.6])]",
    "log_loss([0, 2, 1], [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]])",
]


@pytest.mark.parametrize("case", some(CASES, 4))
def test_the_numbers_are_those_of_scikit_learn(case: str) -> None:
    compare(HEAD, case, RECORDED, LIVE)


if __name__ == "__main__":
    record(HEAD, CASES, RECORDED)

# type: ignore
"""sklearn.feature_extraction.text: how often words stand in texts."""

import re

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction._words import ENGLISH_STOP_WORDS
from sklearn.utils import Estimator

_COUNTED = {
    "analyzer": "word",
    "binary": False,
    "decode_error": "strict",
    "dtype": np.int64,
    "encoding": "utf-8",
    "input": "content",
    "lowercase": True,
    "max_df": 1.0,
    "max_features": None,
    "min_df": 1,
    "ngram_range": (1, 1),
    "preprocessor": None,
    "stop_words": None,
    "strip_accents": None,
    "token_pattern": r"(?u)\b\w\w+\b",
    "tokenizer": None,
    "vocabulary": None,
}
_WEIGHTED = {"norm": "l2", "smooth_idf": True, "sublinear_tf": False, "use_idf": True}


class CountVectorizer(Estimator):
    """How often each word of the vocabulary stands in each text."""

    _options = _COUNTED

    def _check(self, raw_documents):
        if isinstance(raw_documents, str):
            raise ValueError("Iterable over raw text documents expected, string object received.")
        if self.input != "content" or self.strip_accents is not None:
            raise NotImplementedError("the texts themselves can be given, with their accents")

    def build_preprocessor(self):
        if self.preprocessor is not None:
            return self.preprocessor
        return (lambda doc: doc.lower()) if self.lowercase else (lambda doc: doc)

    def build_tokenizer(self):
        if self.tokenizer is not None:
            return self.tokenizer
        pattern = re.compile(self.token_pattern)
        if pattern.groups > 1:
            raise ValueError("More than 1 capturing group in token pattern. Only a single group should be captured.")
        return pattern.findall

    def get_stop_words(self):
        if self.stop_words == "english":
            return ENGLISH_STOP_WORDS
        if isinstance(self.stop_words, str):
            raise ValueError(f"not a built-in stop list: {self.stop_words}")
        return None if self.stop_words is None else frozenset(self.stop_words)

    def _grams(self, parts, between):
        """The parts, and so many of them together as `ngram_range` says."""
        low, high = self.ngram_range
        made = []
        for length in range(low, min(high, len(parts)) + 1):
            made.extend([between.join(parts[i : i + length]) for i in range(len(parts) - length + 1)])
        return made

    def _within_words(self, text):
        made = []
        for word in text.split():
            word = f" {word} "
            for length in range(self.ngram_range[0], self.ngram_range[1] + 1):
                made.extend([word[i : i + length] for i in range(max(len(word) - length, 0) + 1)])
                if len(word) <= length:
                    break
        return made

    def build_analyzer(self):
        """What makes the words of a text."""
        if callable(self.analyzer):
            return self.analyzer
        prepared = self.build_preprocessor()
        if self.analyzer == "char":
            return lambda doc: self._grams(re.sub(r"\s\s+", " ", prepared(doc)), "")
        if self.analyzer == "char_wb":
            return lambda doc: self._within_words(re.sub(r"\s\s+", " ", prepared(doc)))
        cut, stopped = self.build_tokenizer(), self.get_stop_words()

        def words_of(doc):
            words = cut(prepared(doc))
            if stopped is not None:
                words = [word for word in words if word not in stopped]
            return words if tuple(self.ngram_range) == (1, 1) else self._grams(words, " ")

        return words_of

    def _counted(self, raw_documents, vocabulary, growing):
        """csr_matrix of the counts; a word that is new gets the next number where `growing`."""
        analyze, values, columns, begins = self.build_analyzer(), [], [], [0]
        for doc in raw_documents:
            counts = {}
            for word in analyze(doc):
                if growing and word not in vocabulary:
                    vocabulary[word] = len(vocabulary)
                if word in vocabulary:
                    counts[vocabulary[word]] = counts.get(vocabulary[word], 0) + 1
            columns.extend(sorted(counts))
            values.extend([counts[column] for column in sorted(counts)])
            begins.append(len(columns))
        if growing and not vocabulary:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        parts = np.array(values, dtype=self.dtype), np.array(columns, dtype=np.int64), np.array(begins)
        return csr_matrix(parts, shape=(len(begins) - 1, len(vocabulary)))

    def _kept(self, counts, order):
        """The columns that stay, in `order`, by how many texts have the words and how often they occur."""
        texts = counts.shape[0]
        most = self.max_df if isinstance(self.max_df, int) else self.max_df * texts
        least = self.min_df if isinstance(self.min_df, int) else self.min_df * texts
        if most < least:
            raise ValueError("max_df corresponds to < documents than min_df")
        having = counts.getnnz(0)[order]
        kept = np.where((having <= most) & (having >= least))[0]
        if self.max_features is not None and len(kept) > self.max_features:
            often = counts.sum(0).ravel()[order][kept]
            kept = np.sort(kept[(-often).argsort()[: self.max_features]])
        if not len(kept):
            raise ValueError("After pruning, no terms remain. Try a lower min_df or a higher max_df.")
        return order[kept]

    def fit_transform(self, raw_documents, y=None):
        self._check(raw_documents)
        if self.vocabulary is not None:
            self._given()
            counts = self._counted(raw_documents, self.vocabulary_, False)
        else:
            found = {}
            counts = self._counted(raw_documents, found, True)
            kept = self._kept(counts, np.array([found[word] for word in sorted(found)]))
            number = np.full(len(found), -1)
            number[kept] = np.arange(len(kept))
            numbers = number if self.max_features is not None else number.tolist()
            self.vocabulary_ = {word: numbers[place] for word, place in found.items() if number[place] >= 0}
            stays = number[counts.col] >= 0
            begins = np.concatenate([[0], np.cumsum(np.bincount(counts.row[stays], minlength=counts.shape[0]))])
            parts = counts.data[stays], number[counts.col[stays]], begins
            counts = csr_matrix(parts, shape=(counts.shape[0], len(kept)))
        if self.binary:
            counts.data.fill(1)
        return counts

    def _given(self):
        words = self.vocabulary
        if not hasattr(words, "items"):
            words = {word: i for i, word in enumerate(sorted(words) if isinstance(words, (set, frozenset)) else words)}
        if not words:
            raise ValueError("empty vocabulary passed to fit")
        self.vocabulary_ = dict(words)

    def fit(self, raw_documents, y=None):
        self.fit_transform(raw_documents)
        return self

    def transform(self, raw_documents):
        self._check(raw_documents)
        if not hasattr(self, "vocabulary_"):
            if self.vocabulary is None:
                raise NotFittedError("Vocabulary not fitted or provided")
            self._given()
        counts = self._counted(raw_documents, self.vocabulary_, False)
        if self.binary:
            counts.data.fill(1)
        return counts

    def get_feature_names_out(self, input_features=None):
        if not hasattr(self, "vocabulary_"):
            raise NotFittedError("Vocabulary not fitted or provided")
        return np.array(sorted(self.vocabulary_, key=self.vocabulary_.get), dtype=object)

    def inverse_transform(self, X):
        names = self.get_feature_names_out()
        return [names[row.nonzero()[1]] for row in csr_matrix(X)]


class TfidfTransformer(Estimator):
    """Counts weighted by how rare the words are: log((1 + texts) / (1 + texts that have it)) + 1, rows of length 1."""

    _options = _WEIGHTED

    def fit(self, X, y=None):
        X = csr_matrix(X)
        if self.use_idf:
            more = int(self.smooth_idf)
            having = X.getnnz(0).astype(np.float64) + more
            with np.errstate(divide="ignore"):
                self.idf_ = np.log((X.shape[0] + more) / having) + 1.0
        return self

    def transform(self, X, copy=True):
        X = csr_matrix(X)
        data = X.data.astype(np.float64)
        if self.sublinear_tf:
            data = np.log(data) + 1.0
        if self.use_idf:
            data = data * self.idf_[X.col]
        if self.norm is not None:
            whole = np.zeros(X.shape[0])
            np.add.at(whole, X.row, data**2 if self.norm == "l2" else np.abs(data))
            whole = np.sqrt(whole) if self.norm == "l2" else whole
            data = data / whole[X.row]
        return X._like(data)


class TfidfVectorizer(CountVectorizer):
    """CountVectorizer and TfidfTransformer in one."""

    _options = {**_COUNTED, "dtype": np.float64, **_WEIGHTED}

    def fit_transform(self, raw_documents, y=None):
        counts = super().fit_transform(raw_documents)
        self._weights = TfidfTransformer(**{name: getattr(self, name) for name in _WEIGHTED}).fit(counts)
        return self._weights.transform(counts)

    def transform(self, raw_documents):
        if not hasattr(self, "_weights"):
            raise NotFittedError("The TF-IDF vectorizer is not fitted")
        return self._weights.transform(super().transform(raw_documents))

    @property
    def idf_(self):
        if not hasattr(self, "_weights"):
            raise NotFittedError("The TF-IDF vectorizer is not fitted")
        return self._weights.idf_

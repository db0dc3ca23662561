"""What scripts get as pandas prints what pandas prints: pandas.json says what that is. More programs are in pandas.txt,
with an empty line between two of them.

`python -m tests.engine.script.test_pandas` writes pandas.json anew, where pandas is installed.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from pathlib import Path

import pytest

from tests.engine.script.compare import in_interpreter
from tests.selection import some

RECORDED = Path(__file__).with_name("pandas.json")
HEAD = "import numpy as np\nimport pandas as pd\n"
CASES = [
    "s = pd.Series(np.array([0, 0, 1, 1, 1]))\nprint(s, s.value_counts(), dict(s.value_counts()), s.nunique())",
    "print(pd.Series([1.5, 2, 3.25], index=['a', 'b', 'c'], name='q'))\nprint(pd.Series({'a': 1, 'b': 2}))",
    "print(pd.Series([1 / 3, 2.0]), pd.Series([1e-7, 2.0]), pd.Series([1e8, 2.0]), pd.Series([-0.5, 1e9 + 0.25]))",
    "s = pd.Series([4.0, 2.0, 1.0, 0.5])\nprint(s.rolling(2).mean(), s.rolling(3, center=True).sum())",
    "losses = pd.Series([4.0, 2.0, 1.0])\nprint(losses.ewm(alpha=0.5).mean(), losses.ewm(span=3, adjust=False).mean())",
    "s = pd.Series([3.0, 2.0, 1.0, 0.5])\nprint(s.mean(), s.std(), s.min(), s.max(), s.median(), s.idxmax(), len(s))",
    "s = pd.Series([3.0, 2.0, 1.0])\nprint(s * 2 + 1, 1 - s, s[s > 1], (s > 1).sum(), s.iloc[-1], s[1], s.tolist())",
    "d = pd.DataFrame({'a': [1.0, None], 'b': ['x', None], 'c': [1, 2], 'e': [1.0, 2.0]})\nprint(d.fillna('?'))",
    "s = pd.Series([1.0, float('nan'), 3.0])\nprint(s.mean(), s.count(), s.fillna(0.0).tolist(), s.dropna(), s)",
    "print(pd.Series(range(100)))\nprint(pd.Series(range(100)).head(3), pd.Series(range(100)).tail(2))",
    "print(pd.Series(['a', 'b', 'a']).value_counts(normalize=True), pd.Series([1, 2]).map({1: 'x', 2: 'y'}).to_dict())",
    "df = pd.DataFrame({'x': [1, 2, 3], 'y': [0.1, 0.25, 0.3], 'k': list('aba')})\nprint(df, df.shape, *df.columns)",
    "df = pd.DataFrame(np.ones((2, 3)), columns=list('xyz'))\nprint(df, df['x'], df[['x', 'z']], df.mean())",
    "d = pd.DataFrame({'x': [1, 2], 'k': list('ab')})\nprint(d[d['x'] > 1], d.k.value_counts(), d.drop('k', axis=1))",
    "d = pd.DataFrame({'x': [1, 2], 'y': [3.5, 4.5]})\nd['z'] = d['x']\nprint(d.iloc[:, :2].values, d.iloc[0]['y'])",
    "print(pd.DataFrame([{'epoch': i, 'loss': 1 / (i + 1)} for i in range(3)]))",
    "print(pd.DataFrame({'a': range(100), 'b': np.arange(100) / 4}))",
    "print(pd.DataFrame({'a': [-1, 2], 'long name': [-0.5, 2.25], 'word': ['x', 'yes']}), pd.Series([-1, 2]))",
    "print(pd.DataFrame(-np.eye(2)), pd.Series([True, False]), pd.Series([-10, 5], index=['p', 'qq'], name='n'))",
    "d = pd.DataFrame({'x': [1, 2, 4], 'k': list('aba')})\nprint(d.describe(), d.dtypes, d.isnull().sum(), d.columns)",
    "pd.DataFrame({'x': [1, 2, 4], 'k': list('aba')}).info()",
    "d = pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=list('ab'))\nprint((d - d.mean()) / d.std(), d.T)",
    "d = pd.DataFrame({'a': [3, 1, 2], 'b': [1.5, 2, 3]})\nprint(d.sort_values('a'), d.loc[d.a > 1, 'b'])",
    "d = pd.DataFrame({'x': [1.0, float('nan')], 'y': [2, 3]})\nprint(d.fillna(d.mean()), d.dropna(), d.sum())",
    "import io\nd = pd.read_csv(io.StringIO('n,r,p\\nNA,NA,1\\n2,s,3\\n'))\nprint(d, pd.get_dummies(d, dummy_na=True))",
    "print(pd.DataFrame({f'a long name {i}': np.arange(3) / 7 for i in range(6)}).describe())",
    "d = pd.DataFrame({'a': [1, 2]})\nprint(pd.concat([d, d], ignore_index=True), d.apply(lambda c: c * 2))",
    "d = pd.DataFrame({'a': [1, 2, 2], 'k': ['x', None, 'x']})\nprint(d.mode().iloc[0], d.describe(include='all'), d)",
    "print(pd.DataFrame({f'a longer name {i}': [i, i / 7] for i in range(5)}))",
    "for n in (2, 8, 9, 20): print(pd.DataFrame({f'name{i}': [1] for i in range(n)}).columns)",
    "print(pd.Series(np.arange(70) + 0.5), pd.DataFrame({'wide name': range(70)}))",
    "print(pd.DataFrame({f'a longer name {i}': [i / 7] * 70 for i in range(8)}).to_string()[:400])",
    "try: pd.DataFrame({'a': [1, 2], 'b': [1]})\nexcept ValueError as e: print(e)",
    "try: pd.Series([1, 2], index=[0])\nexcept ValueError as e: print(e)",
    *Path(__file__).with_name("pandas.txt").read_text("utf-8").strip().split("\n\n"),
]


def theirs(case: str) -> str:
    """What pandas makes `case` print."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(f"{HEAD}pd.reset_option('display')\n{case}", {})
    return out.getvalue()


@pytest.mark.parametrize("case", some(CASES, 4))
def test_it_prints_what_pandas_prints(case: str) -> None:
    ending = in_interpreter(HEAD + case)
    assert ending.type is None, ending
    assert ending.stdout == json.loads(RECORDED.read_text("utf-8"))[case]


def test_tables_in_files_are_those_of_the_run() -> None:
    ending = in_interpreter("import pandas as pd\npd.read_csv('data.csv')")
    assert (ending.type, ending.line) == ("FileNotFoundError", 2)
    ending = in_interpreter("import pandas as pd\npd.read_excel('data.xlsx')")
    assert (ending.type, ending.line) == ("FileNotFoundError", 2)
    source = "pd.DataFrame({'a': [1, 2]}).to_csv('t.csv', index=False)\nprint(pd.read_csv('t.csv').a.sum())"
    assert in_interpreter(HEAD + source).stdout == "3\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # some cases write files
        answers = {case: theirs(case) for case in CASES}
    RECORDED.write_text(json.dumps(answers, indent=1), "utf-8")

"""A loop that works its gradients out itself, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import new_run
from tests.browser.test_accessibility import violations
from tests.conftest import Server

NET = """import numpy as np
class Net:
    def __init__(self):
        self.W1, self.b1 = np.ones((2, 3)) * 0.5, np.zeros(3)
        self.W2, self.b2 = np.ones((3, 1)) * 0.2, np.zeros(1)
    def feedforward(self, x):
        self.x = x
        self.a = np.tanh(x @ self.W1 + self.b1)
        self.out = self.a @ self.W2 + self.b2
    def backprop(self, y):
        delta = self.out - y
        self.dW2, self.db2 = self.a.T @ delta, delta.sum(axis=0)
        back = delta @ self.W2.T * (1 - self.a ** 2)
        self.dW1, self.db1 = self.x.T @ back, back.sum(axis=0)
    def update(self, lr):
        self.W1 -= lr * self.dW1
        self.b1 -= lr * self.db1
        self.W2 -= lr * self.dW2
        self.b2 -= lr * self.db2
X, y = np.array([[0.0, 1.0], [1.0, 1.0]]), np.array([[1.0], [0.0]])
net = Net()
for epoch in range(9):
    net.feedforward(X)
    loss = float(((net.out - y) ** 2).mean())
    net.backprop(y)
    net.update(0.1)
"""
AUTOGRAD = """import torch
w = torch.tensor(2.0, requires_grad=True)
for i in range(9):
    loss = w * w
    loss.backward()
    with torch.no_grad():
        w -= 0.25 * w.grad
"""


@pytest.mark.parametrize("context", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_on_a_phone_what_a_step_moved_is_brought_in_sight(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/r/{new_run(server.url, 'fbs', source=NET)}")
    expect(page.locator('[data-name="net.W1"]')).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("context", [{"forced_colors": "active"}], indirect=True)
def test_the_card_of_a_step_by_hand_is_read_in_forced_colours(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/r/{new_run(server.url, 'fbs', source=AUTOGRAD)}")
    expect(page.locator("#formula")).to_contain_text("= 2.0 − 0.25 × 4.0 = 1.0")
    assert violations(page, dark=False) == []

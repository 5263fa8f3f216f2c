# Everything a newcomer needs: `make demo` and `make test`. Both set up .venv first.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test fuzz format conformance editors soak benchmark clean

demo: .venv/ready
	$(BIN)/toolc build
	$(BIN)/python docs/demo.py

test: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest -n auto
	$(BIN)/toolc build --check
	$(BIN)/toolc lint

# The property tests with other examples than those of `make test`, and more of them.
fuzz: .venv/ready
	$(BIN)/pytest -n auto -m hypothesis --hypothesis-profile=fuzz

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The official MCP conformance suite; needs npm (it brings its own Node 22).
conformance: .venv/ready
	$(BIN)/python tests/conformance/run.py

# The language servers of editors, with the schemas of `toolc schema`; needs npm (it brings its own Node).
editors: .venv/ready
	$(BIN)/python tests/editors/run.py

# Many clients, good and bad calls, a minute for each transport and era: six minutes. Linux only.
soak: .venv/ready
	$(BIN)/python -m tests.soak --seconds 60 --clients 32

# The rows that compare with other programs need `.venv/bin/python benchmarks/run.py --install-peers`.
benchmark: .venv/ready
	$(BIN)/python benchmarks/run.py

.venv/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "toolc needs Python 3.11 or later: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[serve]' --group dev
	touch $@

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

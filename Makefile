# What people type. Missing Debian packages are installed on the way (.ci/packages).

PREFIX ?= /usr/local
CHECKED = --explicit-target-dependency-import-check error
RELEASE = .build/release
DEMO = .build/demo

# With Swift's own libraries inside, where the toolchain has them to link: it starts sooner, and runs
# where there is no Swift (Docs/Decisions/0059-swift-inside.md).
SWIFT_LIBRARIES = $(shell swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
STATIC = $(if $(wildcard $(SWIFT_LIBRARIES)_static/linux),--static-swift-stdlib)
BUILD_RELEASE = swift build -c release $(STATIC)

.PHONY: help demo test cases samples lint bench bench-quick install clean

help:
	@echo "make demo          build, convert a synthetic day, show what came out"
	@echo "make test          build and run all tests"
	@echo "make lint          check form and the rules of the architecture"
	@echo "make bench         measure the goals for speed and memory (BENCH=--large for more)"
	@echo "make bench-quick   count instructions of small runs"
	@echo "make cases         run the conformance cases beside this folder, if they are there"
	@echo "make samples       check that Samples/ give what they are recorded to give"
	@echo "make install       install to PREFIX ($(PREFIX))"
	@echo "make clean         remove everything that was built"

# Written under .build, so that nothing in the working tree changes.
demo:
	@.ci/packages build
	$(BUILD_RELEASE) --product pumpline
	@mkdir -p $(DEMO)
	@echo
	@echo '$$ pumpline convert Samples/one-day --zone America/New_York -o $(DEMO)/export.zip'
	@$(RELEASE)/pumpline convert Samples/one-day --zone America/New_York -o $(DEMO)/export.zip
	@$(RELEASE)/pumpline convert Samples/one-day --zone America/New_York --quiet \
	  --to csv --output $(DEMO)/samples.csv
	@echo
	@echo 'The sums of the day:'
	@awk -F, 'NR > 1 { sum[$$3 " " $$5] += $$4; count[$$3 " " $$5]++ } END { for (type in sum) \
	  { split(type, part, " "); printf "  %-26s %9.3f %-3s in %d samples\n", part[1], \
	  sum[type], part[2], count[type] } }' $(DEMO)/samples.csv | sort
	@echo
	@echo 'Written: $(CURDIR)/$(DEMO)/export.zip'
	@echo '         $(CURDIR)/$(DEMO)/samples.csv'

test:
	@.ci/packages build test
	swift build --build-tests $(CHECKED)
	swift test --disable-xctest $(CHECKED)

cases:
	$(BUILD_RELEASE) --product pumpline $(CHECKED)
	python3 ../shared/cases/check.py $(RELEASE)/pumpline

samples:
	$(BUILD_RELEASE) --product pumpline $(CHECKED)
	Samples/record --check $(RELEASE)/pumpline

lint:
	@.ci/lint

bench: bench-build
	Benchmarks/bench $(BENCH)

bench-quick: bench-build
	Benchmarks/bench --quick

.PHONY: bench-build
bench-build:
	@.ci/packages build bench
	$(BUILD_RELEASE) --product pumpline
	$(BUILD_RELEASE) --product pumpline-bench

install:
	@.ci/packages build
	$(BUILD_RELEASE) --product pumpline
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(RELEASE)/pumpline $(DESTDIR)$(PREFIX)/bin/pumpline

clean:
	rm -rf .build

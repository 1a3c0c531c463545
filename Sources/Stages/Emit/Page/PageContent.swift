package import PumpModel

/// What the page of an audit says beside the days.
package struct PageContent: Sendable {
  /// When the page was made.
  package var madeAt: Instant
  /// Whether the data is made up.
  package var isDemo = false
  /// What the audit came to, in one line.
  package var result = ""
  /// What was read, in order; the output comes last.
  package var sets: [Source] = []
  /// What was counted in the comparison with the sources; empty without sources.
  package var counts: [Count] = []
  /// The stretches of the pumps' clocks; nil without sources, which alone tell them.
  package var clocks: [(pump: String, row: ClockRow)]?
  /// Stretches of the sources without data, with the pumps' names.
  package var holes: [(pump: String, hole: Hole)] = []
  /// What was found, in any order.
  package var findings: [Entry] = []
  /// What was found and is accepted.
  package var accepted: [Entry] = []
  /// What the output and its sources differ in.
  package var differences: [Entry] = []

  /// Creates the content of a page.
  package init(madeAt: Instant) { self.madeAt = madeAt }

  /// One thing that was read.
  package struct Source: Sendable {
    /// Its name.
    package var name: String
    /// Its form, in words.
    package var form: String
    /// How many samples it gives.
    package var samples: Int
    /// What could not be used, in words; nil: nothing.
    package var trouble: String?

    /// Creates a source that could all be read.
    package init(name: String, form: String, samples: Int) {
      self.name = name
      self.form = form
      self.samples = samples
    }
  }

  /// A number with its label.
  package struct Count: Sendable {
    /// What is counted.
    package var label: String
    /// How many there are.
    package var count: Int

    /// Creates a count.
    package init(_ label: String, _ count: Int) {
      self.label = label
      self.count = count
    }
  }

  /// A line about a finding or a difference, or about several that are not told one by one.
  package struct Entry: Sendable {
    /// How much it matters; nil of differences.
    package var severity: Severity?
    /// The code or the kind.
    package var word: String
    /// The pump's name, if it concerns one.
    package var pump: String?
    /// When it begins, if that is known.
    package var start: Instant?
    /// What is said of it.
    package var text: String
    /// Why it is accepted; nil if it is not.
    package var reason: String?
    /// How many it stands for.
    package var count = 1

    /// Creates a line.
    package init(
      _ severity: Severity?, _ word: String, pump: String?, start: Instant?, text: String
    ) {
      self.severity = severity
      self.word = word
      self.pump = pump
      self.start = start
      self.text = text
    }
  }
}

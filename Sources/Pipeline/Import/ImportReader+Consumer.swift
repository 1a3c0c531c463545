import Deduplicate
import Platform
import PumpModel

extension ImportReader: DocumentConsumer {
  func begin(response: Int?) {
    let parent = open.last?.document.index
    let name = response.map { "\(currentName) › response \($0)" } ?? currentName
    let index = begin(named: name, parent: response == nil ? nil : parent)
    let digest: any ContentDigest = privateKey.flatMap { PrivateDigest($0) } ?? Digest256()
    open.append(OpenDocument(document: documents[index], digest: digest))
  }

  func content(_ bytes: RawSpan) {
    guard let last = open.indices.last else { return }
    open[last].document.bytes += UInt64(bytes.byteCount)
    open[last].digest.update(bytes)
  }

  func pump(assignment: Span<UInt8>) -> UInt32 {
    if assignment.count == lastReference.text.count,
      assignment.indices.allSatisfy({ assignment[$0] == lastReference.text[$0] })
    {
      return lastReference.reference
    }
    let text = assignment.indices.map { assignment[$0] }
    let reference: UInt32
    if let known = references[text] {
      reference = known
    } else {
      statedPumps.append(.assignment(String(decoding: text, as: UTF8.self)))
      reference = UInt32(statedPumps.count)
      references[text] = reference
    }
    lastReference = (text, reference)
    return reference
  }

  func pump(serial: String) -> UInt32 {
    if let known = serialReferences[serial] { return known }
    statedPumps.append(.serial(serial))
    let reference = UInt32(statedPumps.count)
    serialReferences[serial] = reference
    return reference
  }

  func rows(_ rows: [ExportRow]) {
    guard let last = open.indices.last else { return }
    let index = Int(open[last].document.index)
    open[last].document.accepted += UInt64(rows.count)
    for row in rows {
      open[last].document.content.references.insert(row.pump)
      onRow?(row, index)
    }
    if let tap { attempt { try tap.take(rows: rows, of: UInt32(index)) } }
    guard let journal else { return }
    attempt { try journal.append(rows: rows, document: UInt32(index)) }
  }

  func unknownColumn(_ name: String) {
    guard let last = open.indices.last else { return }
    open[last].document.content.ignored[.unknownColumn, default: 0] += 1
    guard open[last].document.content.unknownColumns.count < RunDocument.mostColumns else { return }
    open[last].document.content.unknownColumns.append(name)
  }

  var wantsPlaces: Bool { tap != nil }

  func records(_ records: Span<PumpRecord>, at places: Span<UInt64>) {
    self.records(records)
    guard let tap, let document = open.last?.document.index else { return }
    attempt { try tap.take(records, at: places, of: document) }
  }

  func keep(properties: Span<UInt8>) -> PumpRecord.Payload {
    if let tap, let document = open.last?.document.index {
      attempt { try tap.take(properties: properties, of: document) }
    }
    propertiesDigest.update(unsafe properties.bytes)
    let digest = propertiesDigest.finish().bytes
    func word(_ at: Int) -> UInt32 {
      digest[at..<at + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let payload = PumpRecord.Payload(word(0), word(4), word(8), word(12))
    if let journal, let document = open.last?.document.index {
      attempt {
        try journal.keep(properties: properties, digest: payload, document: document)
      }
    }
    return payload
  }

  func records(_ records: Span<PumpRecord>) {
    guard let last = open.indices.last else { return }
    open[last].document.accepted += UInt64(records.count)
    var reference = UInt32.max
    for index in records.indices {
      if records[index].pump != reference {
        reference = records[index].pump
        open[last].document.content.references.insert(reference)
      }
      onRecord?(records[index], Int(open[last].document.index))
    }
    guard let journal else { return }
    let document = open[last].document.index
    attempt { try journal.append(records, document: document) }
  }

  func reject(_ reject: Reject) {
    guard let last = open.indices.last else { return }
    open[last].document.rejected += 1
    let document = open[last].document.index
    attempt { try rejects.add(reject, of: document) }
  }

  func ignore(_ reason: IgnoredReason, eventID: UInt16?) {
    guard let last = open.indices.last else { return }
    open[last].document.content.ignored[reason, default: 0] += 1
    if reason == .unknownEvent, let eventID {
      open[last].document.content.unknownIDs[eventID, default: 0] += 1
    }
  }

  func pump(facts: PumpFacts) {
    guard let last = open.indices.last else { return }
    open[last].document.content.facts.append(facts)
  }

  func fetched(_ statement: FetchedStatement) {
    guard let last = open.indices.last else { return }
    guard open[last].document.content.fetched.count < RunDocument.mostFetched else {
      return reject(Reject(.offset(0), "more pieces of fetched time than a document may hold"))
    }
    open[last].document.content.fetched.append(statement)
  }

  func estimatedTime(differsBy seconds: Int64, of record: PumpRecord) {
    guard let document = open.last?.document.index else { return }
    journal?.note(estimateDiffersBy: seconds, of: record, document: document)
    tap?.take(estimateDiffersBy: seconds, of: record, of: document)
  }

  func madeUp() {
    guard let last = open.indices.last else { return }
    open[last].document.content.isMadeUp = true
  }

  func missingBody() {
    guard let last = open.indices.last else { return }
    open[last].document.content.missingBodies += 1
  }

  func end(_ verdict: DocumentVerdict) {
    guard let ended = open.popLast() else { return }
    var document = ended.document
    document.content.digest = ended.digest.taken()
    let index = Int(document.index)
    switch verdict {
    case .whole(let format):
      document.format = format
      document.isWhole = true
      documents[index] = document
    case .damaged(let format, let reject):
      document.format = format
      documents[index] = document
      if document.parent != nil { attempt { try takeBack(from: index, reject: reject) } }
    case .unrecognised:
      documents[index].forgetContent()
      documents[index].bytes = document.bytes
      attempt { try rejects.removeAll(of: UInt32(index)) }
    }
    if document.parent == nil { self.verdict = verdict }
  }

  /// Runs what may fail inside a call that cannot throw; the first failure stops the reading.
  func attempt(_ body: () throws -> Void) {
    guard failure == nil else { return }
    do { try body() } catch { failure = error }
  }
}

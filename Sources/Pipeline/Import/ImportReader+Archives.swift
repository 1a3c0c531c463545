import Deduplicate
import PumpModel

/// What is remembered of archives, so that a known one is not read again.
extension ImportReader {
  /// Adds the documents of an archive that the ledger knows; their names were not kept.
  func add(_ known: [ArchivedDocument], of archive: String) {
    let first = documents.count
    for (position, document) in known.enumerated() {
      let index = begin(
        named: "\(archive) › document \(position + 1)",
        parent: document.parent.map { UInt32(first + $0) })
      documents[index].bytes = document.bytes
      // Of what is no pump data there is nothing else to tell.
      guard let format = document.format else { continue }
      (documents[index].format, documents[index].isWhole) = (format, true)
      documents[index].accepted = document.accepted
      documents[index].content.digest = document.digest
      documents[index].content.ignored = document.ignored
      documents[index].content.unknownIDs = document.unknownIDs
      if document.holdsUnnamed { documents[index].content.references.insert(0) }
      for stated in document.pumps {
        documents[index].content.references.insert(reference(of: stated))
      }
    }
  }

  /// The archives that this run read to their end without a reject, with their documents.
  var readArchives: [(digest: [UInt8], documents: [ArchivedDocument])] {
    archives.indices.compactMap { index in
      let archive = archives[index]
      let inside = documents[archive.firstDocument..<archive.firstDocument + archive.count]
      guard archive.isSound, let first = inside.first?.index,
        inside.allSatisfy({ $0.rejected == 0 && ($0.isWhole || $0.format == nil) })
      else { return nil }
      return (archive.digest, inside.map { archived($0, first: first) })
    }
  }

  private func archived(_ document: RunDocument, first: UInt32) -> ArchivedDocument {
    var archived = ArchivedDocument(
      parent: document.parent.map { Int($0 - first) }, digest: document.content.digest,
      format: document.format, bytes: document.bytes, accepted: document.accepted)
    archived.ignored = document.content.ignored
    archived.unknownIDs = document.content.unknownIDs
    archived.holdsUnnamed = document.content.references.contains(0)
    for reference in document.content.references where reference > 0 {
      archived.pumps.insert(statedPumps[Int(reference) - 1])
    }
    return archived
  }

  private func reference(of stated: StatedPump) -> UInt32 {
    switch stated {
    case .assignment(let assignment): pump(assignment: assignment.utf8Span.span)
    case .serial(let serial): pump(serial: serial)
    }
  }

  /// The serial number of a reference; nil for a pump that is named otherwise.
  func serial(of reference: UInt32) -> String? {
    guard reference > 0, case .serial(let serial) = statedPumps[Int(reference) - 1]
    else { return nil }
    return serial
  }

  /// The assignment id of a reference; nil for a pump that is named otherwise.
  func assignment(of reference: UInt32) -> String? {
    guard reference > 0, case .assignment(let assignment) = statedPumps[Int(reference) - 1]
    else { return nil }
    return assignment
  }
}

extension ImportReader.OpenedArchive {
  /// Counts a document that begins, if it is the archive itself or lies in it.
  mutating func count(_ document: String, at place: Int) {
    guard place == firstDocument + count,
      document == name || document.hasPrefix("\(name) › ")
    else { return }
    count += 1
  }
}

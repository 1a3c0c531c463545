import Extract
import Platform

extension RunFailure {
  /// Says what a failure of the service means, and what to do.
  init(_ failure: SourceFailure) {
    let place = "Tandem Source"
    switch failure {
    case .credentialsRefused:
      self.init(
        .credentials, what: "the e-mail address, the password or the region was refused",
        where: place,
        next: "Check all three; an account of the other region is refused like a wrong password: "
          + "--region us or eu.")
    case .loggedOut:
      self.init(
        .credentials, what: "it asks for a third login in one run", where: place,
        next: "Try again later; too many logins may get an account blocked.")
    case .blocked:
      self.init(
        .unavailable, what: "its firewall blocks the request", where: place,
        next: "Wait an hour before you try again; check with a browser whether the site works, and "
          + "whether --region is right.")
    case .gone(let step):
      self.init(
        .unavailable, what: "the address for \(step) is not there any more", where: place,
        next: "The service has changed. Look for a newer pumpline.")
    case .busy:
      self.init(
        .unavailable, what: "it asks to come back later", where: place,
        next: "Try again in an hour.")
    case .unavailable(let step):
      self.init(
        .unavailable, what: "there was no whole answer for \(step)", where: place,
        next: "Try again later.")
    case .unreachable:
      self.init(
        .unavailable, what: "it cannot be reached", where: place,
        next: "Is this computer online? Try again later.")
    case .untrusted:
      self.init(
        .unavailable, what: "its certificate does not prove who it is, so nothing was sent",
        where: place, next: "Install ca-certificates; beware of networks that ask you to log in.")
    case .unexpected(let step, let what):
      self.init(
        .unavailable, what: "it answered something unexpected for \(step): \(what)", where: place,
        next: "Try again later. If it stays so, the service has changed: look for a newer pumpline."
      )
    case .ledElsewhere(let step):
      self.init(
        .unavailable, what: "it wanted to lead elsewhere for \(step), and was not followed",
        where: place,
        next: "Credentials go to no other host. Look for a newer pumpline if it stays so.")
    case .noLibrary:
      self.init(
        .unavailable, what: "libcurl is not installed", next: "Install it: apt-get install libcurl4"
      )
    case .interrupted: self = .interruptedPull
    }
  }

  /// A pull that was asked to end.
  static let interruptedPull = RunFailure(
    .interrupted, what: "interrupted; what was fetched whole is kept",
    next: "Run it again: it goes on where it ended.")
}

extension RunFailure {
  /// Says why a file of credentials cannot be used.
  init(_ failure: SecretInput.Failure, at place: String) {
    switch failure {
    case .unreadable(let error):
      self.init(
        error.kind == .failed ? .io : .inputMissing,
        what: "the file of the credentials \(error.description)", where: place,
        next: "It has two lines: TANDEM_EMAIL= and TANDEM_PASSWORD=.")
    case .readableByOthers:
      self.init(
        .credentials, what: "others can read the file of the credentials", where: place,
        next: "Make it yours alone: chmod 600 \(place)")
    case .tooLarge:
      self.init(
        .credentials, what: "the file of the credentials is too large", where: place,
        next: "It has two lines: TANDEM_EMAIL= and TANDEM_PASSWORD=.")
    }
  }

  /// Says what is wrong in a file of credentials, without a word of it.
  init(_ fault: Credentials.Fault, at place: String) {
    let what =
      switch fault {
      case .notText: "the credentials are not UTF-8 text"
      case .line(let number): "line \(number) of the credentials is neither of the two"
      case .twice(let key): "\(key) stands twice in the credentials"
      case .missing(let key): "\(key) is missing in the credentials, or has no value"
      }
    self.init(
      .credentials, what: what, where: place,
      next:
        "It has two lines, TANDEM_EMAIL= and TANDEM_PASSWORD=; all behind the first = counts as "
        + "it stands, without quotes around it.")
  }

  /// Says what is wrong in a file of endpoints.
  init(_ fault: SourceEndpoints.FileFault, at place: String) {
    let what =
      switch fault {
      case .form: "the file of endpoints is no JSON object of sso, services and source"
      case .host(let key):
        "\(key) is no base address of Tandem's, by https, or of this computer"
      }
    self.init(
      .usage, what: what, where: place,
      next: "Such a file is for tests; leave --endpoints out to ask Tandem Source.")
  }
}

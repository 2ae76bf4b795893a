import Foundation
import GraphStorePredicates

/// Expressions, filters and user infos of Xcode's mappings, which are texts or archives.
extension XcodeMappingReader {
  mutating func expression(_ text: String, at path: ModelPath) -> QueryExpression {
    do throws(QueryPredicateError) {
      return try QueryExpression(parsing: text)
    } catch {
      report(error, in: text, at: path)
      return .null
    }
  }

  /// The expression of an archive in Base64; nil for none.
  mutating func archived(_ text: String?, at path: ModelPath) -> QueryExpression? {
    guard let archive = archive(text, at: path) else { return nil }
    do throws(KeyedArchiveError) {
      return try ArchivedPredicateReader(archive: archive).expression(at: archive.topReference)
    } catch {
      report("The archived expression cannot be read. \(error.message)", at: path)
      return nil
    }
  }

  /// The predicate that chooses source objects: a text, or part of the request that the source expression
  /// makes.
  mutating func filter(of object: XcodeMappingObject, at path: ModelPath) -> QueryPredicate? {
    if let text = object.predicate { return predicate(text, at: path) }
    guard let source = archived(object["sourceexpressiondata"], at: path) else { return nil }
    if case .fetch(let request, _, _) = source.kind, case .call(_, let name, let arguments) = request.kind,
      name == "fetchRequestForSourceEntityNamed:predicateString:", arguments.count == 2,
      case .string(let text)? = arguments[1].constantValue
    {
      return predicate(text, at: path)
    }
    report(
      "The source of the mapping is \(source.expressionFormat), which is not known.", at: path,
      remedy: "Let the mapping take objects of its source entity, with a filter.")
    return nil
  }

  private mutating func predicate(_ text: String, at path: ModelPath) -> QueryPredicate? {
    do throws(QueryPredicateError) {
      let predicate = try QueryPredicate(parsing: text)
      return predicate == .constant(true) ? nil : predicate
    } catch {
      report(error, in: text, at: path)
      return nil
    }
  }

  /// The texts, numbers and truth values of an archived dictionary.
  mutating func userInfo(of object: XcodeMappingObject, at path: ModelPath) -> [String: JSONValue] {
    guard let archive = archive(object["userinfodata"], at: path) else { return [:] }
    do throws(KeyedArchiveError) {
      guard case .dictionary(let pairs) = try archive.root else { return [:] }
      var info: [String: JSONValue] = [:]
      for pair in pairs {
        guard case .value(.string(let key)) = try archive.value(at: pair.key) else { continue }
        switch try archive.value(at: pair.value) {
        case .value(.string(let text)): info[key] = .string(text)
        case .value(.int(let number)): info[key] = .number(String(number))
        case .value(.double(let number)) where number.isFinite: info[key] = .number("\(number)")
        case .value(.bool(let flag)): info[key] = .bool(flag)
        default: continue
        }
      }
      return info
    } catch {
      report("The archived user info cannot be read. \(error.message)", at: path)
      return [:]
    }
  }

  private mutating func archive(_ text: String?, at path: ModelPath) -> KeyedArchive? {
    guard let text else { return nil }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), !data.isEmpty else {
      report("The archive is not in Base64.", at: path)
      return nil
    }
    do throws(KeyedArchiveError) {
      return try KeyedArchive([UInt8](data))
    } catch {
      report("The archive cannot be read. \(error.message)", at: path)
      return nil
    }
  }
}

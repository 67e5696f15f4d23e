import type { CodeOf, ErrorCode } from './error-codes.ts'
import {
  AppError,
  Conflict,
  type ErrorDetails,
  Forbidden,
  Invalid,
  NotFound,
  type Sentence,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
} from './errors.ts'
import type { ProblemListCode } from './problem-codes.ts'

/*
 * The catalogue of errors: every error message is written once, in the `<context>.errors.ts` of its context. It has an id, a
 * status and, when a client can act on the error, a code. Parameters are in braces: `{name}` is a value, and
 * `{count|hour|hours}` is `hour` when `count` is 1 and `hours` otherwise.
 */

interface ErrorOf {
  400: Invalid
  401: Unauthenticated
  403: Forbidden
  404: NotFound
  405: AppError
  406: AppError
  408: AppError
  409: Conflict
  412: AppError
  413: AppError
  415: AppError
  429: TooManyRequests
  431: AppError
  500: AppError
  503: Unavailable
}
type Status = keyof ErrorOf

/** An entry of the catalogue before it has an id. Without a status it is a sentence, or a problem in a list of problems. */
interface Spec<
  Of extends Status | null = Status | null,
  Text extends string = string,
  Code = ProblemListCode | undefined,
> {
  readonly status: Of
  readonly message: Text
  readonly code: Code
}

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Count}|${string}` ? Count : Name) | NamesIn<Rest>
  : never

/** The type of a message. A message without parameters is already a `Sentence`, the text that users read. */
type TextOf<Text extends string> = [NamesIn<Text>] extends [never] ? Text & Sentence : Text

/** The parameters of a sentence, by the names in its braces. */
type ParametersOf<Text extends string> = Readonly<Record<NamesIn<Text>, string | number>>

type Given<Text extends string, More extends readonly unknown[]> = [NamesIn<Text>] extends [never]
  ? [parameters?: ParametersOf<Text>, ...more: More]
  : [parameters: ParametersOf<Text>, ...more: More]

/**
 * An error of the catalogue. Called with its parameters, and optionally details for the client, it returns the error.
 */
interface ErrorEntry<Of extends Status, Text extends string, Code> extends Spec<Of, TextOf<Text>, Code> {
  (...given: Given<Text, [details?: ErrorDetails]>): ErrorOf[Of]
  readonly id: string
}

/** An error 429 of the catalogue. Its parameters include the seconds after which a retry can succeed. */
interface LimitEntry<Text extends string> extends Spec<429, Text> {
  (parameters: ParametersOf<Text> & { readonly retryAfterSeconds: number }): TooManyRequests
  readonly id: string
}

/** A problem of the catalogue. Called with its parameters, it returns its code and its message. */
interface ProblemEntry<Text extends string, Code> extends Spec<null, Text, Code> {
  (...given: Given<Text, []>): { code: Code; message: Sentence }
  readonly id: string
}

/** A sentence of the catalogue. Called with its parameters, it returns the text. */
interface SentenceEntry<Text extends string> extends Spec<null, Text, undefined> {
  (...given: Given<Text, []>): Sentence
  readonly id: string
}

/** An error of the catalogue without parameters. It is passed to a check, which throws it. */
export interface PlainError<Of extends Status> extends Spec<Of> {
  (): ErrorOf[Of]
  readonly id: string
}

/** An entry as data, for the page of errors and for translations. */
export interface CatalogueEntry<Of extends Status | null = Status | null> extends Spec<Of> {
  readonly id: string
}

type EntryOf<One> =
  One extends Spec<429, infer Text>
    ? LimitEntry<Text>
    : One extends Spec<null, infer Text, undefined>
      ? SentenceEntry<Text>
      : One extends Spec<null, infer Text, infer Code>
        ? ProblemEntry<Text, Code>
        : One extends Spec<infer Of extends Status, infer Text, infer Code>
          ? ErrorEntry<Of, Text, Code>
          : never

/** A message that is one string literal, not a concatenation, so that the compiler can read its parameters. */
type Literal<Text extends string> = string extends Text ? never : Text

/** Declares an entry with a status: a message, and a code when a client can act on the error. */
interface SpecMaker<Of extends Status> {
  <const Text extends string>(message: Literal<Text>): Spec<Of, Text, undefined>
  <const Text extends string, const Code extends CodeOf<Of>>(message: Literal<Text>, code: Code): Spec<Of, Text, Code>
}

function specOf<const Of extends Status>(status: Of): SpecMaker<Of> {
  return (message: string, code?: ErrorCode) => ({ status, message, code }) as never
}

/** 400: the request is wrong. */
export const invalid = specOf(400)
/** 401: the caller must sign in again. */
export const unauthenticated = specOf(401)
/** 403: the caller may not do this. */
export const forbidden = specOf(403)
/** 404: there is no such record. */
export const notFound = specOf(404)
/** 405: the address has no such method. */
export const wrongMethod = specOf(405)
/** 406: the answer has none of the media types that `Accept` names. */
export const notAcceptable = specOf(406)
/** 409: the state of a record, or money that already moved, does not allow the request. */
export const conflict = specOf(409)
/** 408: the body arrived too late. */
export const late = specOf(408)
/** 413: the body is too large. */
export const tooLarge = specOf(413)
/** 415: the body is not of a type that the endpoint accepts. */
export const wrongType = specOf(415)
/** 412: the record changed after the caller read it. */
export const changedSince = specOf(412)
/** 429: too many requests. */
export const tooMany = specOf(429)
/** 431: the address or the headers are too large. */
export const headersTooLarge = specOf(431)
/** 500: a fault of the service. */
export const failed = specOf(500)
/** 503: a dependency is down or too slow. */
export const unavailable = specOf(503)
/** Declares a text that a rule returns: a reason, or a problem without a code. */
export const sentence = <const Text extends string>(message: Literal<Text>): Spec<null, Text, undefined> => ({
  status: null,
  message,
  code: undefined,
})
/** Declares a problem for a list of problems, with its code. */
export const problem = <const Text extends string, const Code extends ProblemListCode>(
  message: Literal<Text>,
  code: Code,
): Spec<null, Text, Code> => ({ status: null, message, code })

/**
 * Returns the entries of one context, each a function of its parameters. The id of an entry is `<context>.<name>` and
 * remains when the English text changes. Implements docs/decisions/0019.
 */
export function defineErrors<const Specs extends Record<string, Spec>>(
  context: string,
  specs: Specs,
): { readonly [Name in keyof Specs]: EntryOf<Specs[Name]> } {
  const entries = Object.entries(specs).map(([name, spec]) => {
    const id = `${context}.${name}`
    return [name, Object.assign(makerOf(spec), { ...spec, id })]
  })
  return Object.fromEntries(entries)
}

type Values = Readonly<Record<string, string | number>>

function makerOf({ status, message, code }: Spec): (values?: Values, details?: ErrorDetails) => unknown {
  const say = (values: Values = {}) => render(message, values)
  if (status === null) return code === undefined ? say : (values) => ({ code, message: say(values) })
  if (status === 429) return (values = {}) => new TooManyRequests(Number(values.retryAfterSeconds), say(values))
  const Class = classes[status]
  if (Class) return (values, details) => new Class(say(values), code as never, details)
  return (values, details) => new AppError(status, say(values), code as ErrorCode | undefined, details)
}

type AnyClass = new (message: Sentence, code?: never, details?: ErrorDetails) => AppError

const classes: Partial<Record<Status, AnyClass>> = {
  400: Invalid,
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  503: Unavailable,
}

const placeholder = /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g

/** Returns a sentence with its parameters filled in; a word that follows a number is singular for 1. */
function render(message: string, values: Values): Sentence {
  const words = message.replace(placeholder, (_, name: string, one?: string, other?: string) => {
    const value = values[name] ?? ''
    if (one === undefined || other === undefined) return String(value)
    return value === 1 ? one : other
  })
  return words as Sentence
}

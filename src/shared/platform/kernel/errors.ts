import type { CodeOf, ErrorCode } from './error-codes.ts'

declare const fromCatalogue: unique symbol

/** The text of an error. Only entries of the catalogue create one. */
export type Sentence = string & { readonly [fromCatalogue]: true }

/** Facts for the client about a problem: a field, a seat, a rule. */
export interface ErrorDetails {
  [key: string]: unknown
}

/**
 * The base class of errors that become responses; one error handler renders them all. `message` is shown to users, so it
 * contains no internals. Only entries of the catalogue (`error-catalogue.ts`) create messages.
 * Implements interface §Errors.
 */
export class AppError extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly details: ErrorDetails | undefined

  constructor(status: number, message: Sentence, code?: ErrorCode, details?: ErrorDetails) {
    super(message)
    this.name = new.target.name
    this.status = status
    this.code = code
    this.details = details
  }
}

/** 400: the request is wrong; repeating it unchanged does not help. */
export class Invalid extends AppError {
  constructor(message: Sentence, code?: CodeOf<400>, details?: ErrorDetails) {
    super(400, message, code, details)
  }
}

/** 401: the caller must sign in again. */
export class Unauthenticated extends AppError {
  constructor(message: Sentence) {
    super(401, message)
  }
}

/** 403: the caller is signed in but not allowed. */
export class Forbidden extends AppError {
  constructor(message: Sentence, code?: CodeOf<403>, details?: ErrorDetails) {
    super(403, message, code, details)
  }
}

/** 404: no such record in the caller's organization, whether or not another organization has it. */
export class NotFound extends AppError {
  constructor(message: Sentence) {
    super(404, message)
  }
}

/** 409: the record's state, or money that already moved, does not allow the request. */
export class Conflict extends AppError {
  constructor(message: Sentence, code?: CodeOf<409>, details?: ErrorDetails) {
    super(409, message, code, details)
  }
}

/** 429: too many requests; retry after `retryAfterSeconds`. */
export class TooManyRequests extends AppError {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number, message: Sentence) {
    super(429, message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** 503: a dependency is down or too slow; a later retry can succeed. */
export class Unavailable extends AppError {
  constructor(message: Sentence) {
    super(503, message)
  }
}

/**
 * A failure that no retry can fix: a declined card, a rejected address. The job is given up without a retry. Its processor
 * stores the consequences before it throws this error.
 */
export class Permanent extends Error {}

/**
 * A job, a payload or an operation of another release, which this release cannot process. The job waits for a worker of that
 * release, and the attempt does not count.
 */
export class OfOtherRelease extends Error {}

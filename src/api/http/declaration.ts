import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Account, Actor } from '../../shared/platform/authz/actor.ts'
import type { DeskGrant } from '../../shared/platform/authz/desk-grants.rules.ts'
import type { Db } from '../../shared/platform/db/database.ts'
import type { EditedTable } from '../../shared/platform/db/lock-record.ts'
import type { OutboxEntry, Tx } from '../../shared/platform/db/transaction.ts'
import type { PlainError } from '../../shared/platform/kernel/error-catalogue.ts'
import type { Answer, Format } from './answers.ts'
import type { AccessRule } from './authentication.ts'
import type { LimitName } from './limits.ts'
import type { Reason } from './openapi-errors.ts'
import type { Tag } from './openapi-tags.ts'
import type { Services } from './services.ts'

export type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type ActorOf<W extends AccessRule> = W extends 'anyone' | 'account' ? Actor | null : Actor
type AccountOf<W extends AccessRule> = W extends 'anyone' ? null : Account

/** The input of a handler. */
export interface Call<
  W extends AccessRule = AccessRule,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
> {
  actor: ActorOf<W>
  account: AccountOf<W>
  /** The format that the request asks for; undefined when it asks for none, and without `formats`. */
  format: Format | undefined
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
  now: Date
  db: Db
  services: Services
  request: FastifyRequest
  /**
   * Returns the caller for what only admins may do here: an admin, or who holds the desk grant that the endpoint
   * declares. A caller without the role costs one read.
   */
  asAdmin(refusal?: PlainError<400 | 403 | 404>): Promise<Actor>
  /** Returns the caller, with `grant` set when they lack the role and hold the desk grant that the endpoint declares. */
  withGrant(): Promise<Actor>
  /** Returns the milliseconds since the request arrived. */
  elapsedMs(): number
  /** Counts the request against further limits, which the endpoint does not declare. */
  count(counted: [LimitName, string][]): Promise<void>
  /**
   * The jobs that the use case enqueued. They are published before `answer` runs, or by `answer` when `awaitsJobs` is
   * set.
   */
  enqueued: OutboxEntry[]
}

/** Limits of an endpoint that takes credentials. Each kind is counted separately. */
export interface SignInLimit<C> {
  kind: 'sign-in' | 'sign-up' | 'forgot' | 'reset'
  /** Returns the e-mail address that the request is about; null when there is none. */
  email(call: C): Promise<string | null> | string | null
  /** Returns whether a request counts against the limit per network. Absent: all do. */
  network?(call: C): Promise<boolean>
  /** Only rejected requests count, against each of the limits. */
  failuresOnly?: true
}

/** The limits of an endpoint besides those that every request has. Implements interface §Limits. */
export interface RateLimit<C> {
  /** Limits per network and per e-mail address, for sign-in, sign-up and passwords. */
  signIn?: SignInLimit<C>
  /** A limit that counts only failed attempts: its key, and which errors count as failures. */
  failures?: { limit: LimitName; key(call: C): string; failed(error: unknown): boolean }
  /** The limit that counts each request per account. */
  account?: LimitName
  /** Returns the address to which the request sends a mail, for the limit per address; null when it sends none. */
  mailTo?(call: C): Promise<string | null> | string | null
  /** Returns the address that the request invites by mail, for the limits of invitations; null when it invites none. */
  invite?(call: C): Promise<string | null> | string | null
  /** The limit that counts each request per organization, and per owner over all organizations of the owner. */
  organization?: LimitName
  /**
   * The most requests to this endpoint that a caller may have under way in a process. The caller is the account, or the
   * network when there is no token.
   */
  atOnce?: number
  /** Returns how many uploads the request asks for, for the daily limits. */
  uploads?(call: C): number
}

export interface Declaration<W extends AccessRule, P extends Shape, Q extends Shape, B extends Shape> {
  /** The name of the operation in the OpenAPI document, from which clients are generated. It never changes. */
  id: string
  access: W
  /**
   * The desk grant that lets in a member without the roles of `access`; where `access` is `member`, the grant that
   * `asAdmin` asks for.
   */
  grant?: DeskGrant
  /** Requires a verified e-mail address. */
  verified?: boolean
  /**
   * Which requests need a sign-in in the last 15 minutes, or else the password again: those with which a stolen token
   * could do lasting harm. The password is the field `PasswordAgain` of the body. An endpoint without a body accepts
   * only a recent sign-in.
   */
  asksAgain?: 'always' | ((call: Call<W, P, Q, B>) => boolean)
  /** Counts twice against the limit per account and minute, because the response is about other people. */
  countsTwice?: boolean
  tag: Tag
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /** The schema of each success; null for a response without a body. */
  answers: Partial<Record<200 | 201 | 202 | 204 | 302, z.ZodType | null>>
  /**
   * The formats of a success that a request can ask for, by `?format=` or `Accept`; the first is the default. They make
   * `call.format`.
   */
  formats?: readonly Format[]
  /** The content type of a success that is not JSON. */
  media?: string
  /** The content types of a success besides JSON, for endpoints with several. */
  otherMedia?: readonly string[]
  /**
   * The errors of this endpoint, as entries of the catalogue with their status. Errors that all endpoints of its kind
   * have are not listed.
   */
  errors?: readonly Reason[]
  rateLimit?: RateLimit<Call<W, P, Q, B>>
  /** The endpoint needs no token. It counts its requests itself, per record that it reads. */
  countsItself?: boolean
  /**
   * The rows of the answer are not stored as they are: they are put together for each request. Such an array has no
   * parameters of lists, and its description says so. Every other array is a list.
   */
  computed?: boolean
  /** The response contains a secret: a replay builds it again instead of storing it. */
  secret?: boolean
  /**
   * The response contains signed links in fields named `url`. No cache stores it, and its ETag ignores the signatures.
   */
  links?: boolean
  /** The record that several people edit, for `If-Match`: the table that has the id of the path. */
  edits?: EditedTable
  /** `answer` itself publishes the enqueued jobs, after the commit, and waits for them. */
  awaitsJobs?: boolean
}

export interface Reading<W extends AccessRule, P extends Shape, Q extends Shape, B extends Shape>
  extends Declaration<W, P, Q, B> {
  /** Builds the response from committed data; writes nothing. */
  read(call: Call<W, P, Q, B>): Promise<Answer>
}

export interface Writing<W extends AccessRule, P extends Shape, Q extends Shape, B extends Shape, R, A = undefined>
  extends Declaration<W, P, Q, B> {
  /**
   * Slow work that writes nothing, such as hashing a password. Runs before the transaction and holds no database
   * connection.
   */
  prepare?(call: Call<W, P, Q, B>): Promise<A>
  /** Runs the use case in one transaction, which commits when the function returns. The result is plain data. */
  write(tx: Tx, call: Call<W, P, Q, B>, prepared: A): Promise<R>
  /** Builds the response from committed data. */
  answer(result: R, call: Call<W, P, Q, B>): Promise<Answer> | Answer
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Declares endpoints: `on.get('/things', { access, …, read })`, `on.post('/things', { …, write, answer })`. */
export interface On {
  get<W extends AccessRule, P extends Shape = undefined, Q extends Shape = undefined>(
    url: string,
    endpoint: Reading<W, P, Q, undefined>,
  ): void
  /** A GET that writes: a step in which a browser is redirected between this service and a provider. */
  getThatWrites: WriteVerb
  /** A POST that writes nothing, such as a check. */
  query<W extends AccessRule, P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
    url: string,
    endpoint: Reading<W, P, Q, B>,
  ): void
  post: WriteVerb
  patch: WriteVerb
  put: WriteVerb
  delete: WriteVerb
}

type WriteVerb = <
  W extends AccessRule,
  R,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  A = undefined,
>(
  url: string,
  endpoint: Writing<W, P, Q, B, R, A>,
) => void

export type AnyCall = Call<AccessRule, Shape, Shape, Shape>
export type AnyDeclaration = Declaration<AccessRule, Shape, Shape, Shape>
export type AnyWriting = Writing<AccessRule, Shape, Shape, Shape, unknown, unknown>

/** A domain's endpoints; `buildApp` lists them all. */
export type Routes = (on: On) => void

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Account, Actor } from '../../shared/platform/authz/actor.ts'
import type { Db } from '../../shared/platform/db/database.ts'
import type { EditedTable } from '../../shared/platform/db/lock-record.ts'
import type { OutboxEntry, Tx } from '../../shared/platform/db/transaction.ts'
import type { Answer } from './answers.ts'
import type { AccessRule } from './authentication.ts'
import type { Reason } from './openapi-errors.ts'
import type { Tag } from './openapi-tags.ts'
import type { LimitName } from './rate-limit.ts'
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
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
  now: Date
  db: Db
  services: Services
  request: FastifyRequest
  /** Returns the milliseconds since the request arrived. */
  elapsedMs(): number
  /** Counts the request against limits besides the declared ones. */
  count(counted: [LimitName, string][]): Promise<void>
  /** The jobs that the use case enqueued. They are published when the response is built. */
  enqueued: OutboxEntry[]
}

/** Limits of an endpoint that takes credentials. Each kind is counted separately. */
export interface SignInLimit<C> {
  kind: 'sign-in' | 'sign-up' | 'forgot' | 'reset'
  /** Returns the e-mail address that the request is about; null when there is none. */
  email(call: C): Promise<string | null> | string | null
  /** Which requests count against the network: all by default, only rejected ones, or those that match. */
  network?: 'failures' | ((call: C) => Promise<boolean>)
}

/** The limits of an endpoint besides those of every request. Implements interface §Limits. */
export interface RateLimit<C> {
  /** Limits per network and per e-mail address, for sign-in, sign-up and passwords. */
  signIn?: SignInLimit<C>
  /** A limit on failed attempts only: its key, and which errors are failures. */
  failures?: { limit: LimitName; key(call: C): string; failed(error: unknown): boolean }
  /** The limit that counts each request per account. */
  account?: LimitName
  /** Returns the address to which the request sends a mail, for its limit; null for no mail. */
  mailTo?(call: C): Promise<string | null> | string | null
  /** Returns the address that is invited by mail, for the limits of invitations; null for no mail. */
  invite?(call: C): Promise<string | null> | string | null
  /** The limit that counts each request per organization, and per owner over all organizations of the owner. */
  organization?: LimitName
  /** The most of its requests that one account, or without a token one network, has under way in a process. */
  atOnce?: number
  /** Returns how many uploads the request arranges, for the daily limits. */
  uploads?(call: C): number
}

export interface Declaration<W extends AccessRule, P extends Shape, Q extends Shape, B extends Shape> {
  /** The operation's name in the document, for generated clients. It never changes. */
  id: string
  access: W
  /** Requires a verified e-mail address. */
  verified?: boolean
  /**
   * Which requests need a sign-in of the last 15 minutes or the password again: those that would let a stolen token do
   * lasting harm. A body has the field `PasswordAgain`; without a body only a new sign-in helps.
   */
  asksAgain?: 'always' | ((call: Call<W, P, Q, B>) => boolean)
  /** Counts twice against the account's limit per minute, because the response is about other people. */
  countsTwice?: boolean
  tag: Tag
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /** The schema of each success; null for a response without a body. */
  answers: Partial<Record<200 | 201 | 202 | 204 | 302, z.ZodType | null>>
  /** The content type of a success that is not JSON. */
  media?: string
  /** The content types of a success besides JSON, for endpoints that answer several. */
  otherMedia?: readonly string[]
  /**
   * The errors that are not those of every endpoint of its kind: entries of the catalogue, each with its own status.
   */
  errors?: readonly Reason[]
  rateLimit?: RateLimit<Call<W, P, Q, B>>
  /** The endpoint needs no token and counts the request itself, by the record that it reads. */
  countsItself?: boolean
  /** The response contains a secret: a replay builds it again instead of storing it. */
  secret?: boolean
  /** The read answers signed links, `url`: no cache keeps it, and its ETag is of the rest. */
  links?: boolean
  /** The record that several people edit, for `If-Match`: the table of the id in the path. */
  edits?: EditedTable
  /** The response waits for the enqueued jobs after the commit. */
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
   * Slow work that writes nothing, such as hashing a password. It runs before the transaction, without a connection.
   */
  prepare?(call: Call<W, P, Q, B>): Promise<A>
  /** Runs the use case in one transaction, committed when it returns. Its result is plain data. */
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
  /** A GET that writes: a step of a browser's redirects between this service and a provider. */
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

import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Account, Actor } from '../../shared/platform/authz/actor.ts'
import type { Db } from '../../shared/platform/db/database.ts'
import type { OutboxEntry, Tx } from '../../shared/platform/db/transaction.ts'
import type { Answer } from './answers.ts'
import type { AccessRule } from './authentication.ts'
import type { LimitName } from './rate-limit.ts'
import type { Services } from './services.ts'

export type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type ActorOf<W extends AccessRule> = W extends 'anyone' | 'account' ? Actor | null : Actor
type AccountOf<W extends AccessRule> = W extends 'anyone' ? null : Account

/** What a handler knows of its request. */
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
  /** Milliseconds since the request came in. */
  elapsedMs(): number
  /** Counts the request against limits besides those of the declaration. */
  count(counted: [LimitName, string][]): Promise<void>
  /** The jobs that the use case owed; already on their way when the answer is made. */
  enqueued: OutboxEntry[]
}

/** How an endpoint that takes credentials is counted; each kind apart from the others. */
export interface Credentials<C> {
  kind: 'sign-in' | 'sign-up' | 'forgot' | 'reset'
  /** The address of mail whose account the request is about; null when there is none. */
  email(call: C): Promise<string | null> | string | null
  /** Which requests count against the network, when it is not all: those refused, or what this finds. */
  network?: 'failures' | ((call: C) => Promise<boolean>)
}

export interface Declaration<W extends AccessRule, P extends Shape, Q extends Shape, B extends Shape> {
  access: W
  /** Closed to accounts whose address is not verified. */
  verified?: boolean
  /** Counts twice against the minute's limit of the account: it answers a question about other people. */
  countsTwice?: boolean
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /** The schema of each success; null for an answer without a body. */
  answers: Partial<Record<200 | 201 | 202 | 204 | 302, z.ZodType | null>>
  /** The content type of a success that is not JSON. */
  media?: string
  /** The errors besides 401, 403 (with a token) and 429, each with when it comes. */
  errors?: Partial<Record<400 | 401 | 403 | 404 | 409 | 413 | 415 | 503, string>>
  /** Sign-in and its like: the tighter limits, per network and for the email. */
  credentials?: Credentials<Call<W, P, Q, B>>
  /** An attempt of which only failures count: against which limit, whose, and which errors are failures. */
  guess?: { limit: LimitName; key(call: Call<W, P, Q, B>): string; failed(error: unknown): boolean }
  /** A limit of its own, counted for the account. */
  limit?: LimitName
  /** Without a token: the endpoint itself counts the request, by what it finds. */
  countsItself?: boolean
  /** Whom the endpoint mails at the caller's wish: the limit of mails to one address. Null: nobody. */
  mailsTo?(call: Call<W, P, Q, B>): Promise<string | null> | string | null
  /** Whom the endpoint invites by mail: the limits of invitations, and of mails to one address. Null: nobody. */
  invites?(call: Call<W, P, Q, B>): Promise<string | null> | string | null
  /** The answer holds a secret: it is made again for a replay, never stored. */
  secret?: boolean
  /** How long the answer may wait on jobs after the commit. */
  awaitsJobs?: boolean
}

export interface Reading<W extends AccessRule, P extends Shape, Q extends Shape, B extends Shape>
  extends Declaration<W, P, Q, B> {
  /** Answers from what is committed; writes nothing. */
  read(call: Call<W, P, Q, B>): Promise<Answer>
}

export interface Writing<W extends AccessRule, P extends Shape, Q extends Shape, B extends Shape, R, A = undefined>
  extends Declaration<W, P, Q, B> {
  /** What takes long and writes nothing, such as hashing a password: before the transaction, without a connection. */
  prepare?(call: Call<W, P, Q, B>): Promise<A>
  /** The use case: one transaction, committed when it returns. Its result is plain data. */
  write(tx: Tx, call: Call<W, P, Q, B>, prepared: A): Promise<R>
  /** Makes the answer from what was committed. */
  answer(result: R, call: Call<W, P, Q, B>): Promise<Answer> | Answer
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Declares endpoints on the app: `on.get('/things', { who, …, read })`, `on.post('/things', { …, write, answer })`. */
export interface On {
  get<W extends AccessRule, P extends Shape = undefined, Q extends Shape = undefined>(
    url: string,
    endpoint: Reading<W, P, Q, undefined>,
  ): void
  /** A GET that writes: a step of a browser on its way between us and another service. */
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

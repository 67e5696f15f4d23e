import type Stripe from 'stripe'
import type { FormTree } from './form.ts'
import { type ParamSpec, type Read, readParams } from './params.ts'
import type { Book, State } from './store.ts'

/** The context of a handler: the objects of the request's account, at the simulator's time. */
export interface Scope {
  state: State
  book: Book
  /** The connected account, or null for the account of the key. */
  account: string | null
  /** Seconds since 1970. */
  now: number
  /** The base URL of the simulator's own pages. */
  publicUrl: string
  /** Records an event; it is sent after the answer. */
  emit(type: Stripe.Event.Type, object: object): void
}

type Method = 'GET' | 'POST' | 'DELETE'

/** An endpoint of the API; its parameters are parsed and checked before it runs. */
export interface Endpoint {
  method: Method
  /** Fastify's route syntax: `/v1/invoices/:id/pay`. */
  path: string
  run(scope: Scope, id: string, tree: FormTree): object
}

/** Declares an endpoint with its parameters and its handler. The handler's `id` is '' when the path has none. */
export function endpoint<S extends ParamSpec>(
  method: Method,
  path: string,
  params: S,
  handle: (scope: Scope, params: Read<S>, id: string) => object,
): Endpoint {
  return { method, path, run: (scope, id, tree) => handle(scope, readParams(params, tree), id) }
}

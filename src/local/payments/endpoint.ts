import type Stripe from 'stripe'
import type { FormTree } from './form.ts'
import { type ParamSpec, type Read, readParams } from './params.ts'
import type { Book, State } from './store.ts'

/** What a handler works with: the books of the account that the request is about, at the simulator's time. */
export interface Scope {
  state: State
  book: Book
  /** The connected account, or null for the account of the key. */
  account: string | null
  /** Seconds since 1970. */
  now: number
  /** Where the simulator's own pages are. */
  publicUrl: string
  /** Records an event, to be sent after the answer. */
  emit(type: Stripe.Event.Type, object: object): void
}

type Method = 'GET' | 'POST' | 'DELETE'

/** One endpoint of the API, its parameters read and checked before it runs. */
export interface Endpoint {
  method: Method
  /** As Fastify writes it: `/v1/invoices/:id/pay`. */
  path: string
  run(scope: Scope, id: string, tree: FormTree): object
}

/** Declares an endpoint: the parameters it takes, and what it does with them. `id` is '' where the path has none. */
export function endpoint<S extends ParamSpec>(
  method: Method,
  path: string,
  params: S,
  handle: (scope: Scope, params: Read<S>, id: string) => object,
): Endpoint {
  return { method, path, run: (scope, id, tree) => handle(scope, readParams(params, tree), id) }
}

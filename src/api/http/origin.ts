import type { FastifyRequest } from 'fastify'
import type { Origin } from '../../shared/platform/events/event-rows.ts'
import { networkPrefixOf } from '../../shared/platform/kernel/networks.ts'

/** Returns where a request came from, for the event log. */
export function originOf({ id, ip }: Pick<FastifyRequest, 'id' | 'ip'>): Origin {
  return { address: networkPrefixOf(ip), requestId: id }
}

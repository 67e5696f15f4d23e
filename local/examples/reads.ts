import type { ExampleRequest, ExampleRun } from './example-run.ts'

/** Returns the parameters of GET requests by endpoint. Every other GET is sent without parameters. */
export function readRequests({ school: { actors, resourceIds } }: ExampleRun): Record<string, ExampleRequest> {
  const stella = actors.stella.orgUserId
  const may = { startDate: '2026-05-01T00:00:00-07:00', endDate: '2026-06-01T00:00:00-07:00' }
  const ahead = { startDate: '2026-06-16T07:00:00Z', endDate: '2026-06-17T07:00:00Z' }
  const reports = [
    'utilization',
    'instructors',
    'students',
    'revenue',
    'receivables',
    'cancellations',
    'maintenance',
    'instructorPay',
  ]
  return {
    ...Object.fromEntries(reports.map((name) => [`GET /reports/${name}`, { query: may }])),
    'GET /users/{id}': { params: { id: actors.sam.accountId } },
    'GET /users/{userId}/roles': { params: { userId: actors.ivan.accountId } },
    'GET /orgUsers/{id}': { params: { id: actors.ivan.orgUserId } },
    'GET /orgUsers/{id}/availability': { params: { id: actors.ivan.orgUserId } },
    'GET /organizations/{orgId}': { params: { orgId: actors.olivia.organizationId } },
    'GET /resources/{id}/approvedUsers': { params: { id: resourceIds.N206FL } },
    'GET /users/{userId}/approvedResources': { params: { userId: actors.rita.accountId } },
    'GET /resources/{id}/files': { params: { id: resourceIds.N734FL } },
    'GET /reservations': { query: may },
    'GET /reservations/resource/{resourceId}': { params: { resourceId: resourceIds.N734FL }, query: may },
    'GET /reservations/user/{userId}': { params: { userId: actors.stella.accountId }, query: may },
    'GET /reservations/openings': {
      query: { type: 'dual', durationMinutes: 120, pool: 'Cessna 172', startsPerDay: 8, ...ahead },
    },
    'GET /orgUsers/{id}/currencies': { params: { id: stella } },
    'GET /orgUsers/{id}/logbook': { params: { id: stella }, query: { startDate: '2026-05-01', limit: 2 } },
    'GET /invoices/orgUsers/{orgUserId}': { params: { orgUserId: stella } },
    'GET /training/instructors/{orgUserId}/records': { params: { orgUserId: actors.isabel.orgUserId } },
    'GET /todo': { query: { orgUserId: actors.ivan.orgUserId } },
    'GET /training/candidates': { query: { orgUserId: stella } },
    'GET /public/organizations/{orgId}/offerings': { params: { orgId: actors.olivia.organizationId } },
    'GET /search': { query: { q: 'stella' } },
    'GET /webhooks/{id}/deliveries': { params: { id: 1 } },
  }
}

import { admins, members, type Rights } from './rights.ts'

const zoom = [{ text: 'zoom' }]

export const integrationRights: Rights[] = [
  { endpoint: 'POST /integrations/stripe/connect', who: admins },
  { endpoint: 'GET /integrations', who: members },
  { endpoint: 'GET /integrations/{provider}/authorize', who: members, at: zoom },
  { endpoint: 'GET /integrations/{provider}/begin', who: 'anyone', at: zoom, query: '?state=x' },
  { endpoint: 'GET /integrations/{provider}/callback', who: 'anyone', at: zoom, query: '?code=x&state=x' },
  { endpoint: 'DELETE /integrations/{provider}', who: members, at: zoom },
]

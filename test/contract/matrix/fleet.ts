import { admins, desk, members, type Rights } from './rights.ts'

const keepers = [...desk, 'technician'] as const
const approval = (userId: number) => ({ userId })

export const fleetRights: Rights[] = [
  { endpoint: 'GET /resources', who: members },
  {
    endpoint: 'POST /resources',
    who: admins,
    body: ({ location }) => ({ name: 'N512FL', location: { id: location }, type: { plane: { engines: 1 } } }),
  },
  { endpoint: 'GET /resources/aircraft', who: members },
  { endpoint: 'GET /resources/simulators', who: members },
  { endpoint: 'GET /resources/rooms', who: members },
  { endpoint: 'GET /resources/{id}', who: members, at: ['plane'] },
  {
    endpoint: 'PATCH /resources/{id}',
    who: admins,
    at: ['sparePlane'],
    body: ({ location }) => ({ name: 'N513FL', location: { id: location }, type: { plane: {} } }),
  },
  { endpoint: 'DELETE /resources/{id}', who: admins, at: ['sparePlane'] },
  {
    endpoint: 'POST /resources/{id}/approve',
    who: admins,
    at: ['plane'],
    body: ({ pupilAccount }) => approval(pupilAccount),
    foreignInBody: 404,
  },
  {
    endpoint: 'POST /resources/{id}/unapprove',
    who: admins,
    at: ['plane'],
    body: ({ pupilAccount }) => approval(pupilAccount),
    foreignInBody: 404,
  },
  { endpoint: 'GET /resources/{id}/approvedUsers', who: members, at: ['plane'] },
  { endpoint: 'GET /resources/{id}/files', who: members, at: ['plane'] },
  {
    endpoint: 'POST /resources/{id}/files',
    who: keepers,
    at: ['plane'],
    body: () => ({ category: 'insurance', label: 'Policy', fileNames: ['policy.pdf'] }),
  },
  { endpoint: 'GET /resources/{id}/files/{fileId}', who: members, at: ['plane', 'file'] },
  {
    endpoint: 'PATCH /resources/{id}/files/{fileId}',
    who: keepers,
    at: ['plane', 'file'],
    body: () => ({ label: 'POH' }),
  },
  { endpoint: 'DELETE /resources/{id}/files/{fileId}', who: keepers, at: ['plane', 'file'] },
  { endpoint: 'POST /resources/{id}/fuel', who: members, at: ['plane'], body: () => ({ fuelEngine1: 24 }) },
  {
    endpoint: 'PATCH /resources/{id}/grounding',
    who: [...admins, 'technician'],
    at: ['sparePlane'],
    body: () => ({ grounded: true, reason: 'Nose wheel shimmy' }),
    foreign: 403,
  },
]

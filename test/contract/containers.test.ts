import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { readConfig, requireAll, variableNames } from '../../src/shared/platform/config/config.ts'
import { parseRedisUrl } from '../../src/shared/platform/config/redis-url.ts'
import { secretNames } from '../../src/shared/platform/config/secret-files.ts'
import {
  composeEnvironment,
  composeServices,
  composeText,
  exampleVariables,
  highlyAvailableVariables,
  interpolate,
} from '../support/compose.ts'

const root = join(import.meta.dirname, '../..')
const services = composeServices()
const example = exampleVariables()
/** What containers of ours run as. */
const ours = Object.entries(services).filter(([, { build }]) => build)

/** Read by compose itself: its profiles and the passwords of its PostgreSQL. */
const ofCompose = ['COMPOSE_PROFILES', 'POSTGRES_PASSWORD', 'POSTGRES_SERVICE_PASSWORD']
/** Of the all-in-one and its stand-ins, which containers of the service do not have; the ports are those of the image. */
const ofTheAllInOne = [
  'MAIL_WEB_PORT',
  'MAIL_SMTP_PORT',
  'STRIPE_SIMULATOR_PORT',
  'STRIPE_SIMULATOR_URL',
  'STRIPE_SIMULATOR_WEBHOOK_URL',
  'WEBHOOK_RECEIVER_PORT',
  'STAND_INS_HOST',
  'DEMO_SCHOOL',
  'DEMO_MAIL',
]

describe('.env.example', () => {
  test('names every variable that the service reads, and no other', () => {
    expect(Object.keys(example).toSorted()).toEqual([...ofCompose, ...variableNames].toSorted())
  })

  test('is a configuration as it stands, with the defaults', () => {
    const { COMPOSE_PROFILES: _profiles, ...given } = example
    expect(readConfig(given, { HOST: '127.0.0.1' })).toEqual(readConfig({}, { HOST: '127.0.0.1' }))
  })
})

describe('docker-compose.yml', () => {
  test('hands every variable of the service on to API and workers', () => {
    const handed = Object.keys(services.api?.environment ?? {}).filter((name) => !name.endsWith('_FILE'))
    const ownersAlone = ['MIGRATION_DATABASE_URL']
    expect([...handed, ...ofTheAllInOne, ...ownersAlone].toSorted()).toEqual([...variableNames].toSorted())
    for (const name of ['worker', 'api-2', 'worker-2'])
      expect(services[name]?.environment, name).toEqual(services.api?.environment)
  })

  test('hands on what .env says, but for what containers have of their own', () => {
    const said = Object.fromEntries(variableNames.map((name) => [name, `value-of-${name}`]))
    const environment = composeEnvironment(services.api!, said)
    const own = Object.entries(environment).filter(([name, value]) => value !== `value-of-${name}`)
    expect(own.map(([name]) => name).filter((name) => !name.endsWith('_FILE'))).toEqual(['HOST', 'PORT', 'DATA_DIR'])
  })

  test.each([
    ['without a .env', {}],
    ['with .env.example as .env', exampleVariables()],
  ])('gives API, workers and migrations %s all that they need', (_, given) => {
    for (const name of ['api', 'worker', 'migrate']) {
      const environment = composeEnvironment(services[name]!, given)
      // What a first start makes in the volume.
      const made = Object.entries(environment).flatMap(([key]) => {
        const secret = key.replace(/_FILE$/, '')
        return secret !== key && secretNames.includes(secret as never)
          ? [
              [secret, 'made'],
              [key, ''],
            ]
          : []
      })
      const config = readConfig({ ...environment, ...Object.fromEntries(made) }, { HOST: '0.0.0.0' })
      expect(() => requireAll(config)).not.toThrow()
      expect([config.SMTP_URL, config.STRIPE_API_BASE]).toEqual(['smtp://mail:1025', 'http://payments:12111'])
    }
  })

  test('gives the owner of the tables to the migrations alone, and starts what it names', () => {
    const withOwner = Object.entries(services).filter(([, { environment }]) => environment?.MIGRATION_DATABASE_URL)
    expect(withOwner.map(([name]) => name)).toEqual(['migrate'])
    for (const [, { environment }] of ours) {
      for (const value of Object.values(environment ?? {})) {
        const host = /^\w+:\/\/(?:[^@/]*@)?([a-z]+):\d+/.exec(interpolate(String(value), {}))?.[1]
        expect([undefined, 'localhost', ...Object.keys(services)]).toContain(host)
      }
    }
  })

  test('takes, with the profile ha, what docs/operations/several-machines.md says, and starts what that names', () => {
    const { COMPOSE_PROFILES: profiles, ...given } = highlyAvailableVariables()
    expect(profiles).toBe('ha')
    const config = readConfig(given, { HOST: '127.0.0.1' })
    const hosts = [
      ...[config.DATABASE_URL, config.MIGRATION_DATABASE_URL].map((url) => new URL(url!).hostname),
      ...parseRedisUrl(config.REDIS_URL!)!.nodes.map(({ host }) => host),
    ]
    expect(hosts).toEqual(['proxy', 'proxy', 'sentinel-a', 'sentinel-b', 'sentinel-c'])
    for (const host of hosts) expect(services[host]?.profiles).toEqual(['ha'])
    // Both servers, since they change places: the one that accepts writes is left out.
    const readHosts = config.DATABASE_READ_URL.map((url) => new URL(url).hostname)
    expect(readHosts).toEqual(['postgres-standby', 'postgres'])
    for (const host of readHosts) expect(Object.keys(services)).toContain(host)
  })

  test('gives the proxy files that stand where it mounts them, and servers that it starts', () => {
    const { volumes = [], environment = {} } = services.proxy!
    for (const volume of volumes) expect(existsSync(join(root, volume.split(':')[0]!)), volume).toBe(true)
    const servers = Object.values(environment).flatMap((value) => /^([a-z].*):\d+$/.exec(value)?.[1] ?? [])
    expect(servers).toEqual(['postgres', 'postgres-standby', 'api', 'api-2'])
    for (const server of servers) expect(Object.keys(services)).toContain(server)
  })

  test('pins every image that is not built here to a release', () => {
    const bought = Object.values(services).flatMap(({ image, build }) => (build ? [] : [image]))
    expect(bought.length).toBeGreaterThan(2)
    for (const image of bought) expect(image).toMatch(/:\d+\.\d+/)
    // Their digests are not known where this was written: `docker buildx imagetools inspect` prints them.
    const byTag = bought.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))
    expect([...new Set(byTag.map((image) => image.split(':')[0]))]).toEqual(['redis', 'haproxy'])
    expect(composeText).not.toContain('latest')
  })

  test('runs ours on a file system that is read only, without capabilities, under an init, healthy or done', () => {
    for (const [name, service] of ours) {
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'], init: true })
      expect(Boolean(service.healthcheck), name).toBe(/^(api|worker)(-2)?$/.test(name))
    }
  })

  test('opens ports on this machine alone, and keeps keys and uploads in one volume', () => {
    for (const { ports = [] } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    for (const name of ['keys', 'migrate', 'api', 'worker', 'api-2', 'worker-2', 'payments']) {
      expect(services[name]?.volumes).toEqual(['data:/data'])
    }
  })

  test('starts the stand-ins, the object store and the parts of several machines under profiles of their own', () => {
    const profiles = Object.entries(services).flatMap(([name, { profiles: of = [] }]) =>
      of.map((one) => `${one} ${name}`),
    )
    const several = ['api-2', 'worker-2', 'proxy', 'postgres-standby', 'redis-b', 'redis-c']
    const sentinels = ['sentinel-a', 'sentinel-b', 'sentinel-c']
    expect(profiles).toEqual([
      ...['demo mail', 'demo payments', 'storage storage', 'storage bucket'],
      ...[...several, ...sentinels].map((name) => `ha ${name}`),
    ])
    expect(services.mail?.build?.target).toBe('demo')
    expect(services.api?.build?.target).toBe('service')
  })
})

describe('the Dockerfile', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')

  test('has nothing that its linter finds', () => {
    expect(validate(text)).toEqual([])
  })

  test('pins its base by digest, and sets no mode of production where the demo runs', () => {
    const bases = [...text.matchAll(/^FROM (\S+) AS (\S+)$/gm)]
    const names = bases.map(([, , name]) => name)
    const bought = bases.map(([, base = '']) => base).filter((base) => !names.includes(base))
    expect(bought).toEqual([expect.stringMatching(/@sha256:[0-9a-f]{64}$/)])
    expect(text.split('AS demo\n')[1]).toContain('ENV NODE_ENV=\n')
  })

  test('copies nothing that .dockerignore leaves out, and ends as a user who is not root', () => {
    const admitted = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
    expect(admitted.map((line) => line.slice(1)).toSorted()).toEqual([...new Set(copied)].toSorted())
    expect([...text.matchAll(/^USER (\S+)$/gm)].map(([, user]) => user)).toEqual(['node'])
  })
})

test('the workflow of CI pins every action by the hash of its commit', () => {
  const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')
  const actions = [...workflow.matchAll(/uses: (.+)$/gm)].map(([, action]) => action)
  expect(actions.length).toBeGreaterThan(0)
  for (const action of actions) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

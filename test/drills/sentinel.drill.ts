import { startSentinels } from '../support/redis-nodes.ts'
import { drillNodes } from './redis-nodes.ts'

drillNodes('Redis with Sentinels', startSentinels)

import { startCluster } from '../support/redis-nodes.ts'
import { drillNodes } from './redis-nodes.ts'

drillNodes('a Redis Cluster', startCluster)

import type { FastifyInstance } from 'fastify';
import type { Service } from './service.mts';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

/** GET /scim/ServiceProviderConfigs, shaped as RFC 7643, section 5. */
export function configRoutes({ behaviour }: Service) {
	return async (app: FastifyInstance) => {
		app.get('/ServiceProviderConfigs', async () => {
			const { patchSupported, filterSupported, maxCount } = behaviour.scim;
			return {
				schemas: [SCHEMA],
				patch: { supported: patchSupported },
				bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
				filter: { supported: filterSupported, maxResults: maxCount },
				changePassword: { supported: false },
				sort: { supported: false },
				etag: { supported: false },
				authenticationSchemes: [
					{
						type: 'apikey',
						name: 'API key',
						description: 'Authorization header with the scheme apikey and the key',
						primary: true,
					},
				],
				meta: { resourceType: 'ServiceProviderConfig' },
			};
		});
	};
}

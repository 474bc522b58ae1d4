// Validates manifests, a JSON list on the standard input, against the models of Kubernetes and of the operators that the chart uses. Prints
// one fault in each line. The models are in the folder that is named: they are too large to be a dependency of the project.
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

const MODELS = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg/',
};

const folder = process.argv[2];
const require = createRequire(join(folder, 'package.json'));

async function modelOf({ apiVersion, kind }) {
  const [group] = apiVersion.split('/');
  const name = `${MODELS[group] ?? 'kubernetes-models/'}${apiVersion}/${kind}`;
  // The newer packages are ES modules alone, which require does not find.
  const isModule = group in MODELS;
  const models = isModule
    ? await import(pathToFileURL(join(folder, 'node_modules', `${name}.js`)).href)
    : require(name);
  return models[kind];
}

for (const manifest of JSON.parse(await text(process.stdin))) {
  const name = `${manifest.kind} ${manifest.metadata?.name}`;
  try {
    const Model = await modelOf(manifest);
    new Model(manifest).validate();
  } catch (error) {
    process.stdout.write(`${name}: ${error.message}\n`);
  }
}

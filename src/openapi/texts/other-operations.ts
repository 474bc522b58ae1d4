import type { OperationText } from './operation-text.js';

type Texts = Readonly<Record<string, OperationText>>;

/** Agents and services are handled in the same way. */
function childOperations(kind: 'Agent' | 'Service', controller: string, duplicates: boolean): Texts {
  const tag = `${kind}s` as const;
  const one = kind === 'Agent' ? 'an agent' : 'a service';
  const problems = duplicates ? ({ problems: ['DUPLICATE'] } as const) : {};
  const answers = { record: kind };
  return {
    [`${controller}.list`]: {
      id: `list${tag}`,
      tag,
      summary: `List the ${tag.toLowerCase()} of a shipment`,
      description: 'Newest first, a page at a time.',
      answers: { list: kind },
    },
    [`${controller}.create`]: {
      id: `create${kind}`,
      tag,
      summary: `Add ${one} to a shipment`,
      description: duplicates ? 'At most one of each agentType.' : 'As many as needed.',
      answers,
      ...problems,
    },
    [`${controller}.read`]: {
      id: `read${kind}`,
      tag,
      summary: `Read ${one}`,
      description: `Versions of its own: a change of ${one} makes no new version of the shipment.`,
      answers,
    },
    [`${controller}.update`]: {
      id: `update${kind}`,
      tag,
      summary: `Change fields of ${one}`,
      description: 'Only the fields you send change. `If-Match` must name the version you read.',
      answers,
      ...problems,
    },
    [`${controller}.replace`]: {
      id: `replace${kind}`,
      tag,
      summary: `Replace ${one}`,
      description: 'The body is complete; an optional field you leave out becomes null.',
      answers,
      ...problems,
    },
    [`${controller}.remove`]: {
      id: `delete${kind}`,
      tag,
      summary: `Delete ${one}`,
      description: 'The history of the shipment remembers it.',
      answers: { nothing: true },
    },
  };
}

export const OTHER_OPERATIONS: Texts = {
  ...childOperations('Agent', 'AgentsController', true),
  ...childOperations('Service', 'ServicesController', false),
  'HealthController.live': {
    id: 'checkLiveness',
    tag: 'Health',
    summary: 'Ask whether the process answers',
    description: 'Says nothing about the database.',
    answers: { other: 'Health' },
  },
  'HealthController.ready': {
    id: 'checkReadiness',
    tag: 'Health',
    summary: 'Ask whether the service can do its work',
    description: '503 while the database does not answer.',
    answers: { other: 'Health' },
  },
  'WelcomeController.welcome': {
    id: 'readWelcome',
    tag: 'About',
    summary: 'See what this service is and where to go from here',
    description: 'A page for browsers, JSON for programs.',
    answers: { other: 'Welcome', html: true },
  },
  'OpenApiController.document': {
    id: 'readDocument',
    tag: 'About',
    summary: 'Read this document',
    description: 'OpenAPI 3.1.',
    answers: { other: 'OpenApi' },
  },
  'ProblemsController.list': {
    id: 'listProblems',
    tag: 'About',
    summary: 'List every error that the service can answer with',
    description: 'A page for browsers, JSON for programs.',
    answers: { other: 'ProblemDescriptions', html: true },
  },
  'ProblemsController.read': {
    id: 'readProblem',
    tag: 'About',
    summary: 'Learn what an error means and what to do about it',
    description: 'This is where the `type` of every problem leads.',
    answers: { other: 'ProblemDescription', html: true },
  },
};

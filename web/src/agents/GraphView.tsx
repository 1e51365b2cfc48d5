import { useId } from "react";
import { NODE_WORDS, STATE_WORDS, type Edge, type Graph, type NodeName, type NodeState } from "./graph";

const WIDTH = 346;
const BOX = { width: 148, height: 40 };
const LEFT = 84;
const STEP = 62;
const LANE = 21;
const BESIDE = { x: 260, width: 84 };

/** The agents as a drawing: who hands on to whom. What it shows is told in words beside it. */
export function GraphView({
  graph,
  states,
}: {
  graph: Graph;
  states: ReadonlyMap<NodeName, NodeState> | null;
}) {
  const arrow = useId();
  const height = graph.column.length * STEP - (STEP - BOX.height) + 4;
  const top = (name: NodeName) => 2 + graph.column.indexOf(name) * STEP;
  const state = (name: NodeName) => states?.get(name) ?? "idle";
  const told = graph.column
    .map((name) => `${NODE_WORDS[name].name}${states ? `, ${STATE_WORDS[state(name)]}` : ""}`)
    .join("; ");
  return (
    <figure className="graph">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={`How the agents work together: ${told}.`}
      >
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {graph.edges.map((edge) => (
          <Line
            key={`${edge.from} ${edge.to}`}
            edge={edge}
            graph={graph}
            top={top}
            arrow={`url(#${arrow})`}
          />
        ))}
        {graph.column.map((name) => (
          <Box key={name} name={name} x={LEFT} y={top(name)} width={BOX.width} state={state(name)} />
        ))}
        {graph.beside && (
          <Box
            name={graph.beside.name}
            x={BESIDE.x}
            y={top(graph.beside.of)}
            width={BESIDE.width}
            state={state(graph.beside.name)}
          />
        )}
      </svg>
      <ol className="graph-words" aria-label="Who does what">
        {[...graph.column, ...(graph.beside ? [graph.beside.name] : [])].map((name) => (
          <li key={name} data-state={state(name)}>
            <strong>{NODE_WORDS[name].name}</strong> <span className="soft">{NODE_WORDS[name].does}</span>
            {states && <span className="node-state"> {STATE_WORDS[state(name)]}</span>}
          </li>
        ))}
      </ol>
    </figure>
  );
}

interface BoxProps {
  name: NodeName;
  x: number;
  y: number;
  width: number;
  state: NodeState;
}

function Box({ name, x, y, width, state }: BoxProps) {
  return (
    <g className="node" data-state={state} data-node={name}>
      <rect x={x} y={y} width={width} height={BOX.height} rx="6" />
      <text x={x + width / 2} y={y + BOX.height / 2}>
        {NODE_WORDS[name].name}
      </text>
    </g>
  );
}

interface LineProps {
  edge: Edge;
  graph: Graph;
  top: (name: NodeName) => number;
  arrow: string;
}

/** Down the column straight, back up it around the left side, sideways to what stands beside. */
function Line({ edge: { from, to, when }, graph, top, arrow }: LineProps) {
  const middle = LEFT + BOX.width / 2;
  const right = LEFT + BOX.width;
  if (graph.beside && (from === graph.beside.name || to === graph.beside.name)) {
    const out = to === graph.beside.name;
    const y = top(graph.beside.of) + (out ? 13 : 27);
    const [x1, x2] = out ? [right, BESIDE.x - 1] : [BESIDE.x, right + 1];
    return <path className="edge" markerEnd={arrow} d={`M${x1} ${y} H${x2}`} />;
  }
  const above = top(from);
  const below = top(to);
  if (below > above) {
    const start = above + BOX.height;
    return (
      <>
        <path className="edge" markerEnd={arrow} d={`M${middle} ${start} V${below - 1}`} />
        {when && (
          <text className="when" x={middle + 8} y={(start + below) / 2}>
            {when}
          </text>
        )}
      </>
    );
  }
  // Each way back has a lane of its own, the shortest nearest, so that none hides another.
  const span = (edge: Edge) => top(edge.from) - top(edge.to);
  const backs = graph.edges
    .filter((edge) => edge.from !== graph.beside?.name && edge.to !== graph.beside?.name && span(edge) > 0)
    .sort((one, other) => span(one) - span(other));
  const lane = backs.findIndex((edge) => edge.from === from && edge.to === to);
  const x = LEFT - LANE * (lane + 1);
  const y1 = above + 12 + 8 * lane;
  const y2 = below + 12 + 8 * lane;
  const label = { x: x - 7, y: (y1 + y2) / 2 };
  return (
    <>
      <path className="edge back" markerEnd={arrow} d={`M${LEFT} ${y1} H${x} V${y2} H${LEFT - 1}`} />
      <text className="when turned" {...label} transform={`rotate(-90 ${label.x} ${label.y})`}>
        {when}
      </text>
    </>
  );
}

/** Any other request below `/api`: programs get JSON that says where the API is. */
function notFound(): Response {
  const message = 'There is nothing here. The REST API is below /api/v1, its description at /api/openapi.json.';
  return Response.json({ error: { code: 'endpoint_not_found', message } }, { status: 404 });
}

export { notFound as DELETE, notFound as GET, notFound as PATCH, notFound as POST, notFound as PUT };
